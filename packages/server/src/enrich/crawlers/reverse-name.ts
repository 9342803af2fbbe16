import type { ParsedAddress } from '../../lib/parse-address.ts'

/** The name under which DNS keeps the host names of an address: RFC 1035 for IPv4, RFC 3596 for IPv6. */
export function reverseName(address: ParsedAddress): string {
  if (address.family === 4) {
    const { value } = address
    return `${[value & 255, (value >>> 8) & 255, (value >>> 16) & 255, value >>> 24].join('.')}.in-addr.arpa`
  }
  const digits = address.words.map((word) => word.toString(16).padStart(8, '0')).join('')
  return `${[...digits].reverse().join('.')}.ip6.arpa`
}
