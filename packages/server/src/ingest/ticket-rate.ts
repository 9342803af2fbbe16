import { parseAddress } from '../lib/address.ts'
import { limitKeys } from '../lib/address-limit.ts'
import { createUsualOfHost, type PageHost } from '../lib/usual-of-host.ts'
import { isUnproven, type Proof, type TicketProof } from '../visit/proof.ts'
import { visitorNetwork } from './tickets.ts'

/** Fewer networks say nothing of a domain. */
const NETWORKS_MIN = 10

/** A visit by the agent on a page of the host. */
export interface TicketedVisit {
  host: string
  address: string
  state: TicketProof['state']
}

export interface TicketRate {
  /**
   * Whether visits of the page's host practically always bring a valid ticket; undefined while too few are known. A
   * first-party proxy that passes on nothing but posts keeps all tickets away, and then a missing one says nothing.
   */
  isExpected(page: PageHost): Promise<boolean | undefined>
  /** Counts a visit once it is stored. */
  learn(page: PageHost, address: string, proof: Proof): void
}

interface TicketRateDeps {
  /** The latest stored visits, the oldest first. */
  latest(domainId: number): Promise<TicketedVisit[]>
  warn(message: string, error: unknown): void
}

/** Which pages' visits bring tickets: from the stored ones at first, and then from those of this process. */
export function createTicketRate({ latest, warn }: TicketRateDeps): TicketRate {
  const usual = createUsualOfHost(NETWORKS_MIN)
  const loaded = new Set<number>()
  const loading = new Map<number, Promise<void>>()

  function add(page: PageHost, address: string, state: TicketProof['state']): void {
    // Whoever repeats or forges tickets says nothing of how they arrive.
    if (state === 'valid' || state === 'missing') usual.learn(page, siteOf(address), state === 'valid')
  }

  async function load(domainId: number): Promise<void> {
    try {
      for (const { host, address, state } of await latest(domainId)) add({ domainId, host }, address, state)
      loaded.add(domainId)
    } catch (error) {
      warn('the share of visits with tickets could not be read', error)
    } finally {
      loading.delete(domainId)
    }
  }

  return {
    async isExpected(page) {
      const { domainId } = page
      if (!loaded.has(domainId)) {
        const begun = loading.get(domainId) ?? load(domainId)
        loading.set(domainId, begun)
        await begun
      }
      return loaded.has(domainId) ? usual.isUsual(page) : undefined
    },
    learn(page, address, proof) {
      if (loaded.has(page.domainId) && !proof.interrupted && !isUnproven(proof))
        add(page, address, proof.ticket.state)
    },
  }
}

/** Of IPv6 the /48, because whoever rents a machine may have 256 smaller networks. */
function siteOf(address: string): string {
  const [line] = limitKeys(address)
  const parsed = parseAddress(line.split('/', 1)[0] ?? '')
  if (parsed?.family !== 6) return visitorNetwork(address)
  const [first, second] = parsed.words
  return `${first} ${second >>> 16}`
}
