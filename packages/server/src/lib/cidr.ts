import { type ParsedAddress, parseAddress } from './address.ts'

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

/** The last address of a range. */
export function lastAddress({ first, bits }: Cidr): ParsedAddress {
  const filled = (value: number, word: number) => (value | ~prefixMask(bits, word)) >>> 0
  if (first.family === 4) return { family: 4, value: filled(first.value, 0) }
  const [a, b, c, d] = first.words
  return { family: 6, words: [filled(a, 0), filled(b, 1), filled(c, 2), filled(d, 3)] }
}
