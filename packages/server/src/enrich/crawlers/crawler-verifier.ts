import { LRUCache } from 'lru-cache'
import { crawlerHosts, crawlerName } from './known-crawlers.ts'
import { type CrawlerResolver, confirmHost } from './reverse-dns.ts'

export interface CrawlerVerifierOptions {
  /** The crawler in whose published ranges the address lies, by the name of `crawler-name.ts`. */
  crawlerOf(address: string): string | undefined
  resolver: CrawlerResolver
  /** Unix milliseconds. */
  now?: () => number
  /** Answers of DNS that are kept, each for one crawler and address. */
  cacheMax?: number
}

export interface CrawlerVerifier {
  /**
   * Whether the user agent claims to be a crawler and the address proves it. Memory work only: `pending`
   * means that DNS has to be asked first, by `settle`. Takes the address in normal form.
   */
  verify(userAgent: string, address: string): VerifiedCrawler | 'pending' | undefined
  /** Asks DNS where needed. Never rejects: no answer proves nothing, and is asked for again after a while. */
  settle(userAgent: string, address: string): Promise<VerifiedCrawler | undefined>
}

/** Host names of crawlers hardly ever change; an address may become one's; a failure passes. */
const CONFIRMED_MS = 24 * 60 * 60_000
const REFUSED_MS = 60 * 60_000
const FAILED_MS = 60_000
/** Questions under way at a time: user agents are free to write, so their number is up to visitors. */
const UNDER_WAY_MAX = 64
const CLAIMS_MAX = 2_000

export function createCrawlerVerifier(options: CrawlerVerifierOptions): CrawlerVerifier {
  const { crawlerOf, resolver, now = Date.now, cacheMax = 10_000 } = options
  const confirmed = new LRUCache<string, boolean>({ max: cacheMax, ttlResolution: 0, perf: { now } })
  const underWay = new Map<string, Promise<boolean>>()
  // Most visits have one of a few user agents, and looking for a claim in one takes a long pattern.
  const claims = new LRUCache<string, { name: string | undefined }>({ max: CLAIMS_MAX })

  const claimOf = (userAgent: string): string | undefined => {
    const known = claims.get(userAgent) ?? { name: crawlerName(userAgent) }
    claims.set(userAgent, known)
    return known.name
  }

  const known = (name: string, address: string): VerifiedCrawler | 'pending' | undefined => {
    if (crawlerOf(address) === name) return { name, by: 'published_range' }
    if (!crawlerHosts(name)) return undefined
    const answer = confirmed.get(keyOf(name, address))
    return answer === undefined ? 'pending' : byDns(name, answer)
  }

  const ask = async (name: string, address: string, hosts: RegExp): Promise<boolean> => {
    const answer = await confirmHost(address, hosts, resolver)
    confirmed.set(keyOf(name, address), answer === true, { ttl: lifetimeMs(answer) })
    underWay.delete(keyOf(name, address))
    return answer === true
  }

  const askOnce = (name: string, address: string): Promise<boolean> | undefined => {
    const key = keyOf(name, address)
    const asked = underWay.get(key)
    const hosts = crawlerHosts(name)
    if (asked || !hosts || underWay.size >= UNDER_WAY_MAX) return asked
    const question = ask(name, address, hosts)
    underWay.set(key, question)
    return question
  }

  return {
    verify(userAgent, address) {
      const name = claimOf(userAgent)
      return name === undefined ? undefined : known(name, address)
    },
    async settle(userAgent, address) {
      const name = claimOf(userAgent)
      if (name === undefined) return undefined
      const answer = known(name, address)
      return answer === 'pending' ? byDns(name, await askOnce(name, address)) : answer
    },
  }
}

const keyOf = (name: string, address: string): string => `${name} ${address}`

const byDns = (name: string, confirmed: boolean | undefined): VerifiedCrawler | undefined =>
  confirmed ? { name, by: 'reverse_dns' } : undefined

function lifetimeMs(answer: boolean | undefined): number {
  if (answer === undefined) return FAILED_MS
  return answer ? CONFIRMED_MS : REFUSED_MS
}

/** A crawler whose claim its address confirms. */
export interface VerifiedCrawler {
  /** Such as `GoogleBot`. */
  name: string
  by: 'published_range' | 'reverse_dns'
}
