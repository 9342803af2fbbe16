import { formatAddress, type Ipv6Address, parseAddress } from './address.ts'
import { createRateLimit, type LimiterPlace, type RateLimit, type RateLimitOptions } from './limits.ts'

/**
 * How many times a line's budget its site has. A household has a whole /56 and may use a new /64 for each request; in a
 * mobile network 256 phones share a /56, which must not lock each other out.
 */
export const SITE_MULTIPLE = 8

/**
 * The keys under which requests of an address are counted: its line and, for IPv6, also its site, whose budget is
 * `SITE_MULTIPLE` times as large. An IPv4 address is a line. Of IPv6 a line is the /64, in which a host chooses its
 * address freely (RFC 4291, section 2.5.4), and a site the /56 that providers give to a customer (RFC 6177). IPv6
 * addresses that stand for an IPv4 address count as that one.
 */
export function limitKeys(text: string): readonly [line: string, site?: string] {
  if (!text.includes(':')) return [text]
  const address = parseAddress(text.split('%', 1)[0] ?? '')
  // Nothing that has no address can be told apart, so it counts together.
  if (address === undefined) return ['no address']
  if (address.family === 4) return [formatAddress(address)]
  const carried = carriedIpv4(address)
  if (carried !== undefined) return [formatAddress({ family: 4, value: carried })]
  const [first, second] = address.words
  return [networkOf(first, second, 64), networkOf(first, (second & 0xffffff00) >>> 0, 56)]
}

const networkOf = (first: number, second: number, bits: number): string =>
  `${formatAddress({ family: 6, words: [first, second, 0, 0] })}/${bits}`

const NAT64 = 0x0064_ff9b
const TEREDO = 0x2001_0000
const SIX_TO_FOUR = 0x2002

/**
 * The IPv4 address at which packets to an IPv6 address arrive. Behind a translator all of IPv4 shares one /64
 * (RFC 6052, and RFC 8215 for a network's own), as do all clients of a Teredo server (RFC 4380); a 6to4 host
 * (RFC 3056) has 65,536 of them.
 */
function carriedIpv4({ words: [first, second, third, fourth] }: Ipv6Address): number | undefined {
  if (first === NAT64 && ((second === 0 && third === 0) || second >>> 16 === 1)) return fourth
  if (first === TEREDO) return ~fourth >>> 0
  if (first >>> 16 === SIX_TO_FOUR) return ((first << 16) | (second >>> 16)) >>> 0
  return undefined
}

/** A rate limit whose key is an address. What its line refuses does not count for the site. */
export function createAddressLimit(options: RateLimitOptions, place: LimiterPlace): RateLimit {
  const lines = createRateLimit(options, place)
  const sites = createRateLimit(
    { ...options, points: options.points * SITE_MULTIPLE },
    { ...place, name: `${place.name} site` },
  )
  return {
    async take(address) {
      const [line, site] = limitKeys(address)
      const permission = await lines.take(line)
      return permission === 'allowed' && site !== undefined ? sites.take(site) : permission
    },
    async waitSeconds(address) {
      const [line, site] = limitKeys(address)
      const waits = [lines.waitSeconds(line), ...(site === undefined ? [] : [sites.waitSeconds(site)])]
      return Math.max(...(await Promise.all(waits)))
    },
  }
}
