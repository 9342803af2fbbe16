import { createFairShares } from '../../lib/fair-shares.ts'

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

export function createVisitPool(limits: VisitPoolLimits): VisitPool {
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
