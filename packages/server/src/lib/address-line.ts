import { formatAddress, parseAddress } from './parse-address.ts'

/**
 * What one line has of an address: all of IPv4, the first half of IPv6, of which a line chooses the second as
 * it likes (RFC 4291, section 2.5.4). Text that is no address stays as it is.
 */
export function addressLine(text: string): string {
  const address = parseAddress(text)
  if (address?.family !== 6) return text
  const [first, second] = address.words
  return formatAddress({ family: 6, words: [first, second, 0, 0] })
}
