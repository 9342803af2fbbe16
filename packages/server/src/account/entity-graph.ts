import { namesAccount, namesOne, presentTime } from '@inkling/contract'
import { type EntityGraph, GRAPH_TYPES } from '@inkling/contract/account'
import { ipv4ToText, ipv6ToText } from '../lib/address.ts'
import { uuidToText } from '../lib/uuid.ts'
import type { EntityRow } from '../store/identifications/identifications.ts'
import type { Lookup } from '../store/identifications/lookup.ts'

type GraphType = (typeof GRAPH_TYPES)[number]
type Node = EntityGraph['nodes'][number]

interface Entity {
  type: GraphType
  value: string
}

/** More nodes of a kind make the graph unreadable. */
const NODES_OF_KIND_MAX = 8
const EDGES_MAX = 90

/** Pairs that show who uses what. With all pairs, each visit would connect all of its nodes. The entity's node has an edge to every kind. */
const PAIRS: readonly (readonly [GraphType, GraphType])[] = [
  ['device_id', 'visitor_id'],
  ['device_id', 'cookie_id'],
  ['device_id', 'user_hid'],
  ['device_id', 'ip'],
  ['device_id', 'local_ip'],
]

const addressOf = ({ ip, ip6 }: Pick<EntityRow, 'ip' | 'ip6'>): string | undefined => {
  if (ip !== null) return ipv4ToText(ip)
  return ip6 === null ? undefined : ipv6ToText(ip6)
}

const unlessNil = (id: string): string | undefined => (namesOne(id) ? id : undefined)

/** Reads an identifier; undefined for empty values, which unrelated visitors share. */
export const READ_IDENTIFIER: Record<GraphType, (row: EntityRow) => string | undefined> = {
  device_id: (row) => unlessNil(uuidToText(row.device_id)),
  visitor_id: (row) => unlessNil(uuidToText(row.visitor_id)),
  user_hid: ({ user_hid }) => (namesAccount(user_hid) ? user_hid : undefined),
  ip: addressOf,
  // Without a leak it would repeat the public address.
  local_ip: ({ webrtc_leak_ip: leaked }) => (leaked === null ? undefined : ipv4ToText(leaked)),
  cookie_id: (row) => unlessNil(uuidToText(row.cookie_id)),
}

/** The rows of a merged device have the IDs that it had when they were stored; it is one device under each of them. */
export function asOneDevice(
  rows: readonly EntityRow[],
  { type, value }: Entity,
  lookup: Lookup | undefined,
): readonly EntityRow[] {
  const asked = rows.find((row) => READ_IDENTIFIER[type](row) === value.toLowerCase()) ?? rows[0]
  return type === 'device_id' && lookup?.aliases && asked
    ? rows.map((row) => ({ ...row, device_id: asked.device_id }))
    : rows
}

/** A graph of limited size of the identifiers that occur together with an entity. */
export function linkGraph(rows: readonly EntityRow[], { type, value }: Entity): EntityGraph {
  // In the case of the rows, whatever the request had.
  const [newest] = rows.filter((row) => READ_IDENTIFIER[type](row) === value)
  const first = newest ?? rows[0]
  const self: Entity = { type, value: (first && READ_IDENTIFIER[type](first)) ?? value }
  const counted = GRAPH_TYPES.map((type) => ({ type, values: countValues(rows, READ_IDENTIFIER[type]) }))
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
  const counts = new Map<string, { identifications: number; newest: number }>()
  for (const row of rows) {
    const index = (type: GraphType) =>
      type === self ? 0 : indexes.get(`${type} ${READ_IDENTIFIER[type](row)}`)
    const joined = new Set(
      pairs.flatMap(([a, b]) => {
        const [from, to] = [index(a), index(b)]
        if (from === undefined || to === undefined || from === to) return []
        return [`${Math.min(from, to)} ${Math.max(from, to)}`]
      }),
    )
    for (const edge of joined) {
      // Rows come newest first.
      const { identifications, newest } = counts.get(edge) ?? { identifications: 0, newest: row.created_at }
      counts.set(edge, { identifications: identifications + 1, newest })
    }
  }
  return [...counts]
    .sort(([, a], [, b]) => b.identifications - a.identifications)
    .slice(0, EDGES_MAX)
    .map(([edge, { identifications, newest }]) => {
      const [from = 0, to = 0] = edge.split(' ').map(Number)
      return { from, to, identifications, last_seen_at: presentTime(newest) }
    })
}
