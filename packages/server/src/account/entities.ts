import { type Band, bandOf, type LabelSubject, namesAccount, namesOne, presentTime } from '@inkling/contract'
import {
  type ENTITY_OPERATIONS,
  type EntityDay,
  type EntityGraph,
  type EntitySummary,
  GRAPH_TYPES,
  type LinkedValue,
} from '@inkling/contract/account'
import { ipv4ToText, ipv6ToText } from '../lib/address.ts'
import { AppError } from '../lib/errors.ts'
import { uuidToText } from '../lib/uuid.ts'
import { withAliases } from '../store/devices/device-aliases.ts'
import { findingsOfRows, openFindings } from '../store/findings/findings.ts'
import {
  type EntityRow,
  type EntityRows,
  entityRows,
  localIpRows,
} from '../store/identifications/identifications.ts'
import { identifierLookup, type Lookup } from '../store/identifications/lookup.ts'
import { labelsReaching } from '../store/labels/read-labels.ts'
import { normalValue } from '../store/lists/subject-value.ts'
import type { Store } from '../store/store.ts'
import { readVelocity } from '../store/velocity/read-velocity.ts'
import type { VelocitySubject } from '../visit/velocity.ts'
import { findDomain } from './domains.ts'
import type { Handlers } from './handler.ts'
import { presentReachingLabels } from './labels.ts'
import { presentFinding } from './patterns.ts'

/** More than any entity but a shared address has, and still read in milliseconds. */
const ROWS_MAX = 5_000

export const entityOperations: Handlers<typeof ENTITY_OPERATIONS> = {
  getEntity: async ({ params, query }, { store, now }) => {
    const { id } = await findDomain(store, params.domain)
    const { type, value } = query
    const lookup =
      type === 'local_ip' ? undefined : await withAliases(store.reads, id, identifierLookup(type, value))
    const { rows, complete } = await rowsOf(store, id, query, lookup)
    const summary = summariseEntity(rows)
    if (!summary) throw new AppError('INK_NOT_FOUND', 'no identification has it')
    const subject = COUNTED[type]
    const [own, all, labels, velocity] = await Promise.all([
      openFindings(store.reads, {
        domainId: id,
        type: type === 'ip' ? 'local_ip' : type,
        value: type === 'user_hid' ? value : value.toLowerCase(),
      }),
      findingsOfRows(
        store.reads,
        id,
        rows.map((row) => row.id),
      ),
      labelsReaching(store.reads, id, new Map([labelSubject(type, value)])),
      subject && readVelocity(store, id, { subject, value, atMs: now() }),
    ])
    const others = all.filter((finding) => !own.some((known) => known.id === finding.id))
    return {
      type,
      value,
      complete,
      ...summary,
      aliases: (lookup?.aliases ?? []).map(uuidToText).sort(),
      graph: linkGraph(asOneDevice(rows, query, lookup), { type, value }),
      patterns: own.map(presentFinding),
      part_of: others.map(presentFinding),
      labels: presentReachingLabels(labels),
      velocity: velocity ?? null,
    }
  },
}

/** The subject of labels that an entity is. */
function labelSubject(type: EntitySummary['type'], value: string): [LabelSubject, string] {
  const subject = LABELLED[type]
  const normal = normalValue(subject, value)
  return [subject, 'value' in normal ? normal.value : value]
}

const LABELLED = {
  device_id: 'device',
  visitor_id: 'visitor',
  user_hid: 'account',
  ip: 'address',
  local_ip: 'local_address',
} as const satisfies Record<EntitySummary['type'], LabelSubject>

const COUNTED: Partial<Record<EntitySummary['type'], VelocitySubject>> = {
  device_id: 'device',
  visitor_id: 'visitor',
  user_hid: 'account',
  ip: 'address',
}

interface Entity {
  type: GraphType
  value: string
}

/** The newest identifications of an entity. */
function rowsOf(
  { reads }: Store,
  domainId: number,
  { value }: Pick<EntitySummary, 'value'>,
  lookup: Lookup | undefined,
): Promise<EntityRows> {
  if (lookup) return entityRows(reads, domainId, lookup, ROWS_MAX)
  const address = identifierLookup('ip', value)
  if (address.column !== 'ip') throw new AppError('INK_INVALID_FIELD', 'value: not an IPv4 address')
  return localIpRows(reads, domainId, Number(address.value), ROWS_MAX)
}

const LINKED_MAX = 50
const DAY_LENGTH = 'YYYY-MM-DD'.length

type Summary = Omit<
  EntitySummary,
  'type' | 'value' | 'aliases' | 'complete' | 'graph' | 'patterns' | 'part_of' | 'labels' | 'velocity'
>

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
      local_ip: linked(rows, READ.local_ip),
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
  ['device_id', 'local_ip'],
]

const addressOf = ({ ip, ip6 }: Pick<EntityRow, 'ip' | 'ip6'>): string | undefined => {
  if (ip !== null) return ipv4ToText(ip)
  return ip6 === null ? undefined : ipv6ToText(ip6)
}

/** Reads an identifier; undefined for empty values, which unrelated visitors share. */
const READ: Record<GraphType, (row: EntityRow) => string | undefined> = {
  device_id: (row) => one(uuidToText(row.device_id)),
  visitor_id: (row) => one(uuidToText(row.visitor_id)),
  user_hid: ({ user_hid }) => (namesAccount(user_hid) ? user_hid : undefined),
  ip: addressOf,
  // Without a leak it would repeat the public address.
  local_ip: ({ webrtc_leak_ip: leaked }) => (leaked === null ? undefined : ipv4ToText(leaked)),
  cookie_id: (row) => one(uuidToText(row.cookie_id)),
}

/** The rows of a merged device have the IDs that it had when they were stored; it is one device under each of them. */
function asOneDevice(
  rows: readonly EntityRow[],
  { type, value }: Entity,
  lookup: Lookup | undefined,
): readonly EntityRow[] {
  const asked = rows.find((row) => READ[type](row) === value.toLowerCase()) ?? rows[0]
  return type === 'device_id' && lookup?.aliases && asked
    ? rows.map((row) => ({ ...row, device_id: asked.device_id }))
    : rows
}

/** A graph of limited size of the identifiers that occur together with an entity. */
export function linkGraph(rows: readonly EntityRow[], { type, value }: Entity): EntityGraph {
  // In the case of the rows, whatever the request had.
  const [newest] = rows.filter((row) => READ[type](row) === value)
  const first = newest ?? rows[0]
  const self: Entity = { type, value: (first && READ[type](first)) ?? value }
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
  const counts = new Map<string, { identifications: number; newest: number }>()
  for (const row of rows) {
    const index = (type: GraphType) => (type === self ? 0 : indexes.get(`${type} ${READ[type](row)}`))
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
