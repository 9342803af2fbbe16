import { samePrefix } from '../../lib/address.ts'
import { isPublicAddress } from '../../lib/address-scope.ts'
import { type Cidr, parseCidr } from '../../lib/cidr.ts'

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
