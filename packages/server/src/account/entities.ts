import { type Band, bandOf, namesAccount, namesOne, presentTime } from '@inkling/contract'
import {
  type ENTITY_OPERATIONS,
  type EntityDay,
  type EntityGraph,
  type EntitySummary,
  GRAPH_TYPES,
  type LinkedValue,
} from '@inkling/contract/account'
import { ipv4ToText } from '../lib/address.ts'
import { AppError } from '../lib/errors.ts'
import { uuidToText } from '../lib/uuid.ts'
import { openFindings } from '../store/findings/findings.ts'
import { type EntityRow, entityRows } from '../store/identifications/identifications.ts'
import { identifierLookup } from '../store/identifications/lookup.ts'
import { findDomain } from './domains.ts'
import type { Handlers } from './handler.ts'
import { presentFinding } from './patterns.ts'

/** More than any entity but a shared address has, and still read in milliseconds. */
const ROWS_MAX = 5_000

export const entityOperations: Handlers<typeof ENTITY_OPERATIONS> = {
  getEntity: async ({ params, query }, { store }) => {
    const { id } = await findDomain(store, params.domain)
    const { type, value } = query
    const rows = await entityRows(store.reads, id, identifierLookup(type, value), ROWS_MAX + 1)
    const looked = rows.slice(0, ROWS_MAX)
    const summary = summariseEntity(looked)
    if (!summary) throw new AppError('INK_NOT_FOUND', 'no identification has it')
    const patterns = await openFindings(store.reads, {
      domainId: id,
      type: type === 'ip' ? 'local_ip' : type,
      value: type === 'user_hid' ? value : value.toLowerCase(),
    })
    const graph = linkGraph(looked, { type, value })
    return {
      type,
      value,
      complete: rows.length <= ROWS_MAX,
      ...summary,
      graph,
      patterns: patterns.map(presentFinding),
    }
  },
}

const LINKED_MAX = 50
const DAY_LENGTH = 'YYYY-MM-DD'.length

type Summary = Omit<EntitySummary, 'type' | 'value' | 'complete' | 'graph' | 'patterns'>

/**
 * Summarises rows that share an identifier.
 * @param rows newest first
 * @returns undefined without rows
 */
function summariseEntity(rows: readonly EntityRow[]): Summary | undefined {
  const [newest] = rows
  const oldest = rows.at(-1)
  if (!newest || !oldest) return undefined
  const scores = rows.flatMap(({ score }) => (hasScore(score) ? [score] : []))
  return {
    first_seen_at: presentTime(oldest.created_at),
    last_seen_at: presentTime(newest.created_at),
    identifications: rows.length,
    average_score: scores.length === 0 ? 0 : scores.reduce((sum, score) => sum + score, 0) / scores.length,
    highest_score: highest(scores),
    bands: countBands(rows),
    days: days(rows),
    linked: {
      device_id: linked(rows, READ.device_id),
      visitor_id: linked(rows, READ.visitor_id),
      user_hid: linked(rows, READ.user_hid),
      ip: linked(rows, READ.ip),
      cookie_id: linked(rows, READ.cookie_id),
      country: linked(rows, ({ country }) => country ?? undefined),
      browser: linked(rows, ({ browser }) => browser),
      os: linked(rows, ({ os }) => os),
    },
  }
}

/** The rate-limit marker, 999, is not a score. */
const hasScore = (score: number): boolean => bandOf(score) !== 'rate_limited'
const highest = (scores: readonly number[]): number => scores.reduce((top, score) => Math.max(top, score), 0)
const one = (id: string): string | undefined => (namesOne(id) ? id : undefined)

function countBands(rows: readonly EntityRow[]): Record<Band, number> {
  const bands: Record<Band, number> = { trusted: 0, suspicious: 0, dangerous: 0, rate_limited: 0 }
  for (const { score } of rows) bands[bandOf(score)] += 1
  return bands
}

function days(rows: readonly EntityRow[]): EntityDay[] {
  const byDay = Map.groupBy(rows, ({ created_at }) => presentTime(created_at).slice(0, DAY_LENGTH))
  return [...byDay]
    .map(([day, those]) => ({
      day,
      identifications: those.length,
      highest_score: highest(those.flatMap(({ score }) => (hasScore(score) ? [score] : []))),
    }))
    .reverse()
}

/** Rows come newest first, so the first row of a value is its newest. */
function linked(rows: readonly EntityRow[], read: (row: EntityRow) => string | undefined): LinkedValue[] {
  const byValue = Map.groupBy(rows, read)
  return [...byValue]
    .flatMap(([value, [newest, ...others]]) =>
      value === undefined || !newest
        ? []
        : [{ value, identifications: others.length + 1, last_seen_at: presentTime(newest.created_at) }],
    )
    .sort((a, b) => b.identifications - a.identifications)
    .slice(0, LINKED_MAX)
}

type GraphType = (typeof GRAPH_TYPES)[number]
type Node = EntityGraph['nodes'][number]

/** More nodes of a kind make the graph unreadable. */
const NODES_OF_KIND_MAX = 8
const EDGES_MAX = 90

/** Pairs that show who uses what. With all pairs, each visit would connect all of its nodes. The entity's node has an edge to every kind. */
const PAIRS: readonly (readonly [GraphType, GraphType])[] = [
  ['device_id', 'visitor_id'],
  ['device_id', 'cookie_id'],
  ['device_id', 'user_hid'],
  ['device_id', 'ip'],
]

/** Reads an identifier; undefined for empty values, which unrelated visitors share. */
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

/** A graph of limited size of the identifiers that occur together with an entity. */
export function linkGraph(rows: readonly EntityRow[], { type, value }: Entity): EntityGraph {
  // In the case of the rows, whatever the request had.
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
