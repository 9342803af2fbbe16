import type { ParsedAddress } from '../../lib/parse-address.ts'
import { isPublicAddress } from '../../lib/public-address.ts'
import type { Cidr } from './parse-cidr.ts'
import { parseCidr, prefixMask, wordsOf } from './parse-cidr.ts'

/** No publisher of single networks holds more: one wider prefix in a list is a slip or an attack. */
const IPV4_BITS_MIN = 8
const IPV6_BITS_MIN = 19

/**
 * Where blocks begin that no visitor comes from. A prefix either lies in such a block, and then begins
 * at an address that is not public, or holds the block's first address.
 */
const RESERVED_STARTS = [
  '0.0.0.0 10.0.0.0 100.64.0.0 127.0.0.0 169.254.0.0 172.16.0.0 192.0.0.0 192.0.2.0 192.88.99.0 192.168.0.0',
  '198.18.0.0 198.51.100.0 203.0.113.0 224.0.0.0 2001:: 2001:db8:: 2002:: 3fff::',
]
  .join(' ')
  .split(' ')
  .flatMap((text) => parseCidr(text)?.first ?? [])

/** Why a range cannot be on any list; undefined when it can. */
export function rangeFault(cidr: Cidr): string | undefined {
  if (cidr.bits < (cidr.first.family === 4 ? IPV4_BITS_MIN : IPV6_BITS_MIN)) return 'is too wide'
  if (!isPublicAddress(cidr.first)) return 'is reserved'
  if (RESERVED_STARTS.some((address) => contains(cidr, address))) return 'holds a reserved block'
  return undefined
}

function contains({ first, bits }: Cidr, address: ParsedAddress): boolean {
  if (first.family !== address.family) return false
  const words = wordsOf(address)
  return wordsOf(first).every((value, word) => ((words[word] ?? 0) & prefixMask(bits, word)) >>> 0 === value)
}
