import { type EntityGraph, GRAPH_TYPES } from '@inkling/contract/account'
import { seededRandom } from '../lib/seeded-random.ts'

/** Neighbours of a neighbour stand in clusters of about so many. */
const CLUSTER = 40

/** A graph as it is after many neighbours were opened: clusters around hubs, with a few lines between them. */
export function wideGraph(nodes: number): EntityGraph {
  const random = seededRandom(11)
  const below = (count: number): number => Math.floor(random() * count)
  const line = (from: number, to: number) => ({
    from,
    to,
    identifications: 1 + below(40),
    last_seen_at: '2026-10-08T14:25:00.000Z',
  })
  const hubOf = (index: number): number => index - (index % CLUSTER)
  const toHub = Array.from({ length: nodes - 1 }, (_, index) => index + 1).map((index) =>
    index % CLUSTER === 0 ? line(index, hubOf(below(index))) : line(index, hubOf(index)),
  )
  const within = Array.from({ length: nodes }, () => below(nodes - CLUSTER)).map((index) =>
    line(hubOf(index) + 1 + below(CLUSTER - 2), hubOf(index) + CLUSTER - 1),
  )
  return {
    nodes: Array.from({ length: nodes }, (_, index) => ({
      type: GRAPH_TYPES[index % GRAPH_TYPES.length] ?? 'device_id',
      value: `value-${index}`,
      identifications: 1 + below(200),
    })),
    edges: [...toHub, ...within],
    more: { device_id: 0, visitor_id: 0, user_hid: 0, ip: 0, local_ip: 0, cookie_id: 0 },
  }
}
