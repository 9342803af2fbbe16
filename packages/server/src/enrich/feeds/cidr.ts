import { type ParsedAddress, parseAddress, samePrefix } from '../../lib/address.ts'
import { isPublicAddress } from '../../lib/address-scope.ts'

export interface Cidr {
  /** The first address of the range. */
  first: ParsedAddress
  /** Length of the prefix. */
  bits: number
}

/** Parses an address or a CIDR; undefined for anything else. */
export function parseCidr(text: string): Cidr | undefined {
  const slash = text.indexOf('/')
  const address = parseAddress(slash < 0 ? text : text.slice(0, slash))
  if (!address) return undefined
  const bitsMax = address.family === 4 ? 32 : 128
  // IPv4-mapped IPv6: the prefix length counts from the start of the IPv6 address.
  if (address.family === 4 && text.includes(':')) return undefined
  if (slash < 0) return { first: address, bits: bitsMax }
  const length = text.slice(slash + 1)
  const bits = Number(length)
  if (!/^(?:0|[1-9]\d{0,2})$/.test(length) || bits > bitsMax) return undefined
  return { first: firstAddress(address, bits), bits }
}

/** The 32-bit words of an address, most significant first: one in IPv4, four in IPv6. */
export const wordsOf = (address: ParsedAddress): readonly number[] =>
  address.family === 4 ? [address.value] : address.words

/** The bits of an address's word that belong to a prefix of this length. */
export function prefixMask(bits: number, word: number): number {
  const fixed = Math.min(Math.max(bits - word * 32, 0), 32)
  return fixed === 0 ? 0 : (-1 << (32 - fixed)) >>> 0
}

function firstAddress(address: ParsedAddress, bits: number): ParsedAddress {
  const masked = (value: number, word: number) => (value & prefixMask(bits, word)) >>> 0
  if (address.family === 4) return { family: 4, value: masked(address.value, 0) }
  const [first, second, third, fourth] = address.words
  return { family: 6, words: [masked(first, 0), masked(second, 1), masked(third, 2), masked(fourth, 3)] }
}

/** No network on these lists is larger: a wider prefix is a mistake or an attack. */
const IPV4_BITS_MIN = 8
const IPV6_BITS_MIN = 19

/**
 * First addresses of reserved blocks. A prefix that overlaps such a block either lies inside, and then starts with a
 * reserved address, or contains the block's first address.
 */
const RESERVED_STARTS = [
  '0.0.0.0 10.0.0.0 100.64.0.0 127.0.0.0 169.254.0.0 172.16.0.0 192.0.0.0 192.0.2.0 192.88.99.0 192.168.0.0',
  '198.18.0.0 198.51.100.0 203.0.113.0 224.0.0.0 2001:: 2001:db8:: 2002:: 3fff::',
]
  .join(' ')
  .split(' ')
  .flatMap((text) => parseCidr(text)?.first ?? [])

/** Why a range cannot be accepted; undefined if it can. */
export function rangeFault(cidr: Cidr): string | undefined {
  if (cidr.bits < (cidr.first.family === 4 ? IPV4_BITS_MIN : IPV6_BITS_MIN)) return 'is too wide'
  if (!isPublicAddress(cidr.first)) return 'is reserved'
  if (RESERVED_STARTS.some((address) => samePrefix(cidr.first, address, cidr.bits)))
    return 'contains a reserved block'
  return undefined
}
