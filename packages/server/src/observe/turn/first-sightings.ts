import { LRUCache } from 'lru-cache'
import type { TurnSighting } from '../../visit/network-evidence.ts'

export interface SeenByTurn {
  requestId: string
  sighting: TurnSighting
}

/** UDP and TCP over IPv4 and IPv6 make four; a laptop that changes its network meanwhile has more. */
const PER_REQUEST_MAX = 8
/** Credentials live for a minute, so this is 500 checks a second. */
const REQUESTS_MAX = 30_000

/** Whether a sighting is news: browsers repeat messages, and a credential may be used from many addresses. */
export function createFirstSightings(): (seen: SeenByTurn) => boolean {
  const known = new LRUCache<string, Set<string>>({ max: REQUESTS_MAX })
  return ({ requestId, sighting: { transport, address } }) => {
    const places = known.get(requestId) ?? new Set()
    const place = `${transport} ${address}`
    if (places.has(place) || places.size === PER_REQUEST_MAX) return false
    known.set(requestId, places.add(place))
    return true
  }
}
