import { parseAddress } from '../lib/address.ts'
import { limitKeys } from '../lib/address-limit.ts'
import { hash53 } from '../lib/hash53.ts'
import { isUnproven, type Proof, type TicketProof } from '../visit/proof.ts'
import { visitorNetwork } from './tickets.ts'

/** Networks whose latest visit counts: each has one say, however many visits it sends. */
const NETWORKS_MAX = 200
/** Fewer say nothing of a domain. */
const NETWORKS_MIN = 10
const SHARE_MIN = 0.9

/** A visit of a domain by its agent. */
export interface TicketedVisit {
  address: string
  state: TicketProof['state']
}

export interface TicketRate {
  /**
   * Whether the domain's visits practically always bring a valid ticket; undefined while too few are known. A first-party
   * proxy that passes on nothing but posts keeps all tickets away, and then a missing one says nothing.
   */
  isExpected(domainId: number): Promise<boolean | undefined>
  /** Counts a visit once it is stored. */
  learn(domainId: number, address: string, proof: Proof): void
}

interface TicketRateDeps {
  /** The latest stored visits, the oldest first. */
  latest(domainId: number): Promise<TicketedVisit[]>
  warn(message: string, error: unknown): void
}

/** Which domains' visits bring tickets: from the stored ones at first, and then from those of this process. */
export function createTicketRate({ latest, warn }: TicketRateDeps): TicketRate {
  const windows = new Map<number, Window>()
  const loading = new Map<number, Promise<void>>()

  async function load(domainId: number): Promise<void> {
    try {
      const window = createWindow()
      for (const { address, state } of await latest(domainId)) window.add(address, state)
      windows.set(domainId, window)
    } catch (error) {
      warn('the share of visits with tickets could not be read', error)
    } finally {
      loading.delete(domainId)
    }
  }

  return {
    async isExpected(domainId) {
      if (!windows.has(domainId)) {
        const begun = loading.get(domainId) ?? load(domainId)
        loading.set(domainId, begun)
        await begun
      }
      return windows.get(domainId)?.isExpected()
    },
    learn(domainId, address, proof) {
      if (!proof.interrupted && !isUnproven(proof)) windows.get(domainId)?.add(address, proof.ticket.state)
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

type Window = ReturnType<typeof createWindow>

function createWindow() {
  /** Whether the latest visit of a network had a valid ticket, the longest unseen network first. */
  const networks = new Map<number, boolean>()
  let valid = 0

  function remove(network: number): void {
    if (networks.get(network)) valid -= 1
    networks.delete(network)
  }

  return {
    add(address: string, state: TicketProof['state']): void {
      // Whoever repeats or forges tickets says nothing of how they arrive.
      if (state !== 'valid' && state !== 'missing') return
      const network = hash53(siteOf(address))
      remove(network)
      networks.set(network, state === 'valid')
      if (state === 'valid') valid += 1
      const [longestUnseen = network] = networks.keys()
      if (networks.size > NETWORKS_MAX) remove(longestUnseen)
    },
    isExpected: (): boolean | undefined =>
      networks.size < NETWORKS_MIN ? undefined : valid >= networks.size * SHARE_MIN,
  }
}
