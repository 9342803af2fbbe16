import { namesAccount, namesOne } from '@inkling/contract'
import { type EntityGraph, GRAPH_TYPES } from '@inkling/contract/account'
import { ipv4ToText } from '../../lib/ipv4-number.ts'
import { uuidToText } from '../../lib/uuid.ts'
import type { EntityRow } from '../../store/identifications/identifications.ts'

type GraphType = (typeof GRAPH_TYPES)[number]
type Node = EntityGraph['nodes'][number]

/** More of a kind would be a knot that nobody reads. */
const NODES_OF_KIND_MAX = 8
const EDGES_MAX = 90

/** Pairs that say who uses what; with all pairs each visit would be a knot of its own. The entity has them all. */
const PAIRS: readonly (readonly [GraphType, GraphType])[] = [
  ['device_id', 'visitor_id'],
  ['device_id', 'cookie_id'],
  ['device_id', 'user_hid'],
  ['device_id', 'ip'],
]

const one = (id: string): string | undefined => (namesOne(id) ? id : undefined)

/** What a row names; what strangers share names nothing. */
const READ: Record<GraphType, (row: EntityRow) => string | undefined> = {
  device_id: (row) => one(uuidToText(row.device_id)),
  visitor_id: (row) => one(uuidToText(row.visitor_id)),
  user_hid: ({ user_hid }) => (namesAccount(user_hid) ? user_hid : undefined),
  ip: ({ ip }) => (ip === null ? undefined : ipv4ToText(ip)),
  cookie_id: (row) => one(uuidToText(row.cookie_id)),
}

interface Entity {
  type: GraphType
  value: string
}

/** Which identifiers of an entity's rows occur together: a bounded graph with the entity in its middle. */
export function linkGraph(rows: readonly EntityRow[], { type, value }: Entity): EntityGraph {
  // As the rows write it, whatever case it was asked for in.
  const self: Entity = { type, value: (rows[0] && READ[type](rows[0])) ?? value }
  const counted = GRAPH_TYPES.map((type) => ({ type, values: countValues(rows, READ[type]) }))
  const others = counted.map(({ type: kind, values }) => {
    const all = values.filter(([other]) => kind !== self.type || other !== self.value)
    return {
      type: kind,
      shown: all.slice(0, NODES_OF_KIND_MAX),
      left: Math.max(0, all.length - NODES_OF_KIND_MAX),
    }
  })
  const nodes: Node[] = [
    { ...self, identifications: rows.length },
    ...others.flatMap((kind) =>
      kind.shown.map(([other, identifications]) => ({ type: kind.type, value: other, identifications })),
    ),
  ]
  return {
    nodes,
    edges: edgesBetween(rows, nodes, self.type),
    more: Object.fromEntries(others.map((kind) => [kind.type, kind.left])) as EntityGraph['more'],
  }
}

/** Most frequent first. */
function countValues(
  rows: readonly EntityRow[],
  read: (row: EntityRow) => string | undefined,
): [string, number][] {
  const counts = new Map<string, number>()
  for (const row of rows) {
    const value = read(row)
    if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1)
  }
  return [...counts].sort(([, a], [, b]) => b - a)
}

function edgesBetween(
  rows: readonly EntityRow[],
  nodes: readonly Node[],
  self: GraphType,
): EntityGraph['edges'] {
  const indexes = new Map(nodes.map(({ type, value }, index) => [`${type} ${value}`, index]))
  const pairs = [
    ...PAIRS,
    ...GRAPH_TYPES.filter((type) => type !== self).map((type) => [self, type] as const),
  ]
  const counts = new Map<string, number>()
  for (const row of rows) {
    const index = (type: GraphType) => indexes.get(`${type} ${READ[type](row)}`)
    const joined = new Set(
      pairs.flatMap(([a, b]) => {
        const [from, to] = [index(a), index(b)]
        if (from === undefined || to === undefined || from === to) return []
        return [`${Math.min(from, to)} ${Math.max(from, to)}`]
      }),
    )
    for (const edge of joined) counts.set(edge, (counts.get(edge) ?? 0) + 1)
  }
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .slice(0, EDGES_MAX)
    .map(([edge, identifications]) => {
      const [from = 0, to = 0] = edge.split(' ').map(Number)
      return { from, to, identifications }
    })
}
