import { type ParsedAddress, parseAddress } from './address.ts'

/**
 * IPv4 ranges that no visitor from the internet comes from: the IANA special-purpose registry, multicast,
 * class E, and the retired 6to4 relay prefix.
 */
const RESERVED_IPV4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10', // carrier-grade NAT
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relay
  '192.168.0.0/16',
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/3', // multicast and class E
].map(parseIpv4Range)

/**
 * Whether the address belongs to the public internet. Of IPv6 only 2000::/3 is handed out; inside it the
 * protocol block 2001::/23 (Teredo too), documentation and 6to4 name no place on the network.
 */
export function isPublicAddress(address: ParsedAddress): boolean {
  if (address.family === 4) {
    const { value } = address
    return !RESERVED_IPV4.some(({ first, mask }) => (value & mask) >>> 0 === first)
  }
  const [high] = address.words
  if (high >>> 29 !== 1) return false
  if (high >>> 9 === 0x20010000 >>> 9) return false // 2001::/23
  if (high === 0x20010db8) return false // 2001:db8::/32
  if (high >>> 16 === 0x2002) return false // 2002::/16
  return high >>> 12 !== 0x3fff0000 >>> 12 // 3fff::/20
}

function parseIpv4Range(range: string): { first: number; mask: number } {
  const [text = '', bits = ''] = range.split('/')
  const address = parseAddress(text)
  if (address?.family !== 4) throw new TypeError(`not an IPv4 range: ${range}`)
  return { first: address.value, mask: (-1 << (32 - Number(bits))) >>> 0 }
}

/** Whether the address is of this machine alone. What comes from there says nothing of any path. */
export const isLoopback = (address: ParsedAddress): boolean =>
  address.family === 4
    ? address.value >>> 24 === 127
    : address.words.every((word, index) => word === (index === 3 ? 1 : 0))

/** Whether a host, as in a URL or a setting, means this machine alone. */
export function isLoopbackHost(host: string): boolean {
  const name = host.replace(/^\[|\]$/g, '')
  const address = parseAddress(name)
  return address ? isLoopback(address) : name === 'localhost' || name.endsWith('.localhost')
}
