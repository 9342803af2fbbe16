import { LRUCache } from 'lru-cache'
import { growingCache } from '../../lib/growing-cache.ts'
import { siteNetworkOf } from '../usual-clients.ts'
import { crawlerHosts, crawlerName } from './known-crawlers.ts'
import { confirmHost, type DnsResolver } from './reverse-dns.ts'

/** A crawler whose claim its address proves. */
export interface VerifiedCrawler {
  /** Such as `GoogleBot`. */
  name: string
  by: 'published_range' | 'reverse_dns'
}

export interface CrawlerVerifierOptions {
  /** The crawler whose published ranges contain the address, named as by `crawlerName`. */
  crawlerOf(address: string): string | undefined
  resolver: DnsResolver
  /** Unix milliseconds. */
  now?: () => number
  /** How many DNS results are cached, each for one crawler and address. */
  cacheMax?: number
}

export interface CrawlerVerifier {
  /**
   * The crawler that the user agent claims to be, if the address proves it. Uses memory only: `pending` means that
   * `settle` has to ask DNS. Takes the address in normal form.
   */
  verify(userAgent: string, address: string): VerifiedCrawler | 'pending' | undefined
  /** Asks DNS if necessary. Never rejects: a failure counts as unproven and is retried after a while. */
  settle(userAgent: string, address: string): Promise<VerifiedCrawler | undefined>
  /** Whether DNS has said that the address is not the crawler's. Never for a crawler without documented host names. */
  refutes(userAgent: string, address: string): boolean
}

/** A crawler's host names rarely change, an address may become a crawler's, and failures are temporary. */
const CONFIRMED_TTL_MS = 24 * 60 * 60_000
const REFUSED_TTL_MS = 60 * 60_000
const FAILED_TTL_MS = 60_000
/** A limit, because anyone can cause queries by sending a crawler's user agent. */
const CONCURRENT_QUERIES_MAX = 64
/** Half of them are for networks with fewer than these, so that one with slow name servers does not take all. */
const CROWDED_FROM = CONCURRENT_QUERIES_MAX / 2
const QUERIES_OF_NETWORK = 8
const CLAIMS_MAX = 2_000

export function createCrawlerVerifier(options: CrawlerVerifierOptions): CrawlerVerifier {
  const { crawlerOf, resolver, now = Date.now, cacheMax = 10_000 } = options
  const confirmed = growingCache<string, boolean | 'failed'>(cacheMax, {
    ttlResolution: 0,
    perf: { now },
  })
  const inProgress = new Map<string, Promise<boolean>>()
  /** Of each network. */
  const running = new Map<string, number>()
  // A few user agents make most visits, and matching all patterns takes a while.
  const claims = new LRUCache<string, { name: string | undefined }>({ max: CLAIMS_MAX })

  const claimOf = (userAgent: string): string | undefined => {
    const known = claims.get(userAgent) ?? { name: crawlerName(userAgent) }
    claims.set(userAgent, known)
    return known.name
  }

  const cached = (name: string, address: string): VerifiedCrawler | 'pending' | undefined => {
    if (crawlerOf(address) === name) return { name, by: 'published_range' }
    if (!crawlerHosts(name)) return undefined
    const answer = confirmed.get(keyOf(name, address))
    return answer === undefined ? 'pending' : byDns(name, answer === true)
  }

  const isFull = (network: string): boolean =>
    inProgress.size >= CONCURRENT_QUERIES_MAX ||
    (inProgress.size >= CROWDED_FROM && (running.get(network) ?? 0) >= QUERIES_OF_NETWORK)

  function count(network: string, change: 1 | -1): void {
    const queries = (running.get(network) ?? 0) + change
    if (queries > 0) running.set(network, queries)
    else running.delete(network)
  }

  const query = async (name: string, address: string, hosts: RegExp): Promise<boolean> => {
    const network = siteNetworkOf(address) ?? ''
    count(network, 1)
    const answer = await confirmHost(address, hosts, resolver)
    count(network, -1)
    confirmed.set(keyOf(name, address), answer ?? 'failed', { ttl: ttlMs(answer) })
    inProgress.delete(keyOf(name, address))
    return answer === true
  }

  /** Shares a query in progress. Undefined when there are too many of them. */
  const queryOnce = (name: string, address: string): Promise<boolean> | undefined => {
    const key = keyOf(name, address)
    const known = inProgress.get(key)
    const hosts = crawlerHosts(name)
    if (known || !hosts || isFull(siteNetworkOf(address) ?? '')) return known
    const started = query(name, address, hosts)
    inProgress.set(key, started)
    return started
  }

  return {
    verify(userAgent, address) {
      const name = claimOf(userAgent)
      return name === undefined ? undefined : cached(name, address)
    },
    async settle(userAgent, address) {
      const name = claimOf(userAgent)
      if (name === undefined) return undefined
      const answer = cached(name, address)
      return answer === 'pending' ? byDns(name, await queryOnce(name, address)) : answer
    },
    refutes(userAgent, address) {
      const name = claimOf(userAgent)
      return (
        name !== undefined && crawlerOf(address) !== name && confirmed.get(keyOf(name, address)) === false
      )
    },
  }
}

const keyOf = (name: string, address: string): string => `${name} ${address}`

const byDns = (name: string, confirmed: boolean | undefined): VerifiedCrawler | undefined =>
  confirmed ? { name, by: 'reverse_dns' } : undefined

function ttlMs(answer: boolean | undefined): number {
  if (answer === undefined) return FAILED_TTL_MS
  return answer ? CONFIRMED_TTL_MS : REFUSED_TTL_MS
}
