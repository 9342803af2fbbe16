import { LRUCache } from 'lru-cache'

/**
 * On which domains practically all proven visits open the follow-up channel, so that its absence says something. The
 * policy of a site's pages may forbid it, and proxies may not let it through. In memory: learned again after a restart.
 */
export interface UsualChannels {
  /** Only of visits with a valid ticket and a key. */
  learn(domainId: number, network: string, opened: boolean): void
  /** False while few networks are known. */
  isUsual(domainId: number): boolean
}

const DOMAINS_MAX = 1_000
/** Each network has one say, however many visits it sends. */
const NETWORKS_MAX = 100
/** Fewer say nothing of a domain. */
const NETWORKS_MIN = 5
const SHARE_MIN = 0.9

export function createUsualChannels(): UsualChannels {
  const domains = new LRUCache<number, LRUCache<string, boolean>>({ max: DOMAINS_MAX })
  return {
    learn(domainId, network, opened) {
      const networks = domains.get(domainId) ?? new LRUCache<string, boolean>({ max: NETWORKS_MAX })
      domains.set(domainId, networks)
      networks.set(network, opened)
    },
    isUsual(domainId) {
      const opened = [...(domains.get(domainId)?.values() ?? [])]
      const count = opened.filter(Boolean).length
      return opened.length >= NETWORKS_MIN && count >= opened.length * SHARE_MIN
    },
  }
}
