import { LRUCache } from 'lru-cache'
import { growingCache } from './growing-cache.ts'

/** The host of a page. Agents, policies and proxies differ between the hosts of a domain. */
export interface PageHost {
  domainId: number
  host: string
}

/** What practically all visits of a page's host have, such as an open channel, so that its absence says something. */
export interface UsualOfHost {
  /** The latest visit of a network has the network's say, however many visits it sends. */
  learn(page: PageHost, network: string, has: boolean): void
  /**
   * Undefined while too little is known. A host that few networks were seen on is judged by its domain: anybody may name
   * one that does not exist.
   */
  isUsual(page: PageHost): boolean | undefined
}

const DOMAINS_MAX = 10_000
/** Of a domain, the host that was longest unseen is forgotten. */
const HOSTS_MAX = 20
/** The longest unseen network is forgotten. */
const NETWORKS_MAX = 200
const SHARE_MIN = 0.9

/** @param networksMin fewer of a domain say nothing; half as many of a host tell what it has not */
export function createUsualOfHost(networksMin: number): UsualOfHost {
  const domains = growingCache<number, { all: Votes; hosts: LRUCache<string, Votes> }>(DOMAINS_MAX)
  return {
    learn({ domainId, host }, network, has) {
      const known = domains.get(domainId) ?? { all: createVotes(), hosts: new LRUCache({ max: HOSTS_MAX }) }
      domains.set(domainId, known)
      const votes = known.hosts.get(host) ?? createVotes()
      known.hosts.set(host, votes)
      votes.add(network, has)
      known.all.add(network, has)
    },
    isUsual({ domainId, host }) {
      const known = domains.get(domainId)
      const own = known?.hosts.get(host)
      if (!known || known.all.count() < networksMin) return undefined
      return own && own.count() >= networksMin / 2 ? own.isShared() : known.all.isShared()
    },
  }
}

type Votes = ReturnType<typeof createVotes>

function createVotes() {
  const networks = new Map<string, boolean>()
  let having = 0

  function remove(network: string): void {
    if (networks.get(network)) having -= 1
    networks.delete(network)
  }

  return {
    add(network: string, has: boolean): void {
      remove(network)
      networks.set(network, has)
      if (has) having += 1
      const [longestUnseen = network] = networks.keys()
      if (networks.size > NETWORKS_MAX) remove(longestUnseen)
    },
    count: () => networks.size,
    isShared: (): boolean => having >= networks.size * SHARE_MIN,
  }
}
