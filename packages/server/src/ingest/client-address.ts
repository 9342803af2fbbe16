import { BlockList, isIP } from 'node:net'
import { normalAddress } from '../lib/address.ts'
import { growingCache } from '../lib/growing-cache.ts'

export type ClientAddress = (peer: string, forwardedFor: string | undefined) => string

/**
 * Finds the visitor's address: the peer's, or, when the peer is a trusted proxy, the right-most address in
 * `X-Forwarded-For` that is not a trusted proxy. Other peers' headers are ignored.
 * @param trusted CIDRs or single addresses of proxies
 * @throws when an entry is neither
 */
export function createClientAddress(trusted: readonly string[]): ClientAddress {
  const isProxy = createProxyCheck(trusted)

  return (peer, forwardedFor) => {
    let address = normal(peer)
    if (trusted.length === 0 || forwardedFor === undefined) return address
    const hops = forwardedFor.split(',').map((hop) => normal(hop.trim()))
    while (isProxy(address)) {
      const hop = hops.pop()
      // No hop left, or not an address: the last proxy is as near as we get.
      if (hop === undefined || isIP(hop) === 0) break
      address = hop
    }
    return address
  }
}

/** In normal form, by which addresses are found and erased. A dual-stack socket reports IPv4 peers as `::ffff:a.b.c.d`. */
const normal = (address: string): string =>
  address.includes(':') ? normalAddress(address.split('%', 1)[0] ?? '') : address

/**
 * Whether an address is one of the operator's own proxies.
 * @throws when an entry is neither a CIDR nor an address
 */
export function createProxyCheck(trusted: readonly string[]): (address: string) => boolean {
  const proxies = proxyList(trusted)
  // Each request asks for its peer and its client several times, and Node makes an object for each question.
  const known = growingCache<string, boolean>(KNOWN_MAX)
  return (address) => {
    const before = known.get(address)
    if (before !== undefined) return before
    const isProxy = proxies.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
    known.set(address, isProxy)
    return isProxy
  }
}

/** Addresses of which it is kept whether they are proxies: about those of the requests that are under way. */
const KNOWN_MAX = 1_000

function proxyList(entries: readonly string[]): BlockList {
  const list = new BlockList()
  for (const entry of entries) {
    const [address = '', prefix] = entry.split('/')
    const family = isIP(address)
    const bits = prefix === undefined ? (family === 6 ? 128 : 32) : Number(prefix)
    if (family === 0 || !Number.isInteger(bits) || bits < 0 || bits > (family === 6 ? 128 : 32))
      throw new Error(`TRUST_PROXY: "${entry}" is not an address or CIDR`)
    list.addSubnet(address, bits, family === 6 ? 'ipv6' : 'ipv4')
  }
  return list
}
