import { createFairShares } from '../../lib/fair-shares.ts'

/** How many visits are remembered. Forgetting one leaves its row as it is. */
const VISITS_MAX = 50_000
/**
 * How many bytes the remembered visits may have sent in all; beyond it those of the address that sent most are
 * forgotten. The objects made of them take several times as much memory.
 */
const SENT_BYTES_MAX = 128 * 1024 * 1024
/**
 * The same for visits whose snapshot has not arrived. Anybody can make up a request ID, so these cannot push out visits
 * that are stored, nor those of other addresses.
 */
const UNSEEN_MAX = 5_000
const UNSEEN_BYTES_MAX = 32 * 1024 * 1024
/** As many again for those with a ticket, which an address gets at a limited rate and for itself alone. */
const TICKETED_BYTES_MAX = 32 * 1024 * 1024
/** As many as an address may have channels. */
const UNSEEN_PER_ADDRESS_MAX = 100

/** Bounds how many visits are remembered, and how much they sent, so that no address pushes out those of others. */
interface VisitPool {
  /** Counts a visit as it is now. Returns the visits that have to go, perhaps this one, which are no longer counted. */
  set(requestId: string, group: string, bytes: number): string[]
  remove(requestId: string): void
  bytes(): number
}

interface VisitPoolLimits {
  visitsMax: number
  visitsPerGroupMax: number
  bytesMax: number
}

function createVisitPool(limits: VisitPoolLimits): VisitPool {
  const visits = createFairShares<string>()
  const sent = createFairShares<string>()

  /** The oldest visit of the group that uses most of what ran out. */
  function leaving(group: string): string | undefined {
    if (visits.amountOf(group) > limits.visitsPerGroupMax) return firstOf(visits.holdersOf(group))
    if (visits.total() > limits.visitsMax) return firstOf(visits.holdersOf(visits.greediestGroup() ?? ''))
    if (sent.total() > limits.bytesMax) return firstOf(sent.holdersOf(sent.greediestGroup() ?? ''))
    return undefined
  }

  function remove(requestId: string): void {
    visits.remove(requestId)
    sent.remove(requestId)
  }

  return {
    set(requestId, group, bytes) {
      visits.set(requestId, group, 1)
      sent.set(requestId, group, bytes)
      const gone: string[] = []
      for (let next = leaving(group); next !== undefined; next = leaving(group)) {
        remove(next)
        gone.push(next)
      }
      return gone
    },
    remove,
    bytes: sent.total,
  }
}

function firstOf(names: Iterable<string>): string | undefined {
  const [first] = names
  return first
}

/** The pools of visits whose snapshot has arrived, of those with a ticket, and of all others. */
export function createVisitPools(sentBytesMax = SENT_BYTES_MAX) {
  const seen = createVisitPool({
    visitsMax: VISITS_MAX,
    visitsPerGroupMax: VISITS_MAX,
    bytesMax: sentBytesMax,
  })
  const notSeen = (bytesMax: number): VisitPool =>
    createVisitPool({
      visitsMax: UNSEEN_MAX,
      visitsPerGroupMax: UNSEEN_PER_ADDRESS_MAX,
      bytesMax: Math.min(bytesMax, sentBytesMax),
    })
  const ticketed = notSeen(TICKETED_BYTES_MAX)
  const unseen = notSeen(UNSEEN_BYTES_MAX)
  return {
    /** The pool of a visit as it is now; leave it before its standing changes. */
    of: ({ isSeen, hasTicket }: { isSeen: boolean; hasTicket: boolean }): VisitPool =>
      isSeen ? seen : hasTicket ? ticketed : unseen,
    bytes: () => seen.bytes() + ticketed.bytes() + unseen.bytes(),
  }
}
