import type { DetectionFlag } from '@inkling/contract'
import {
  type Expression,
  type Kysely,
  type RawBuilder,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
} from 'kysely'
import { flagBit } from '../../lib/flag-bits.ts'
import { engineSql } from '../engine-sql.ts'
import type { Schema } from '../schema.ts'
import { type Held, type LocalAddress, type Lookup, matching, type SearchedNetwork } from './lookup.ts'
import { isAfter, type Order, type Rows, type SearchPosition } from './search-order.ts'

/** A row has to have any of some values and none of others; without a list the values do not matter. */
export interface Choice<Value> {
  any?: readonly Value[] | undefined
  none?: readonly Value[] | undefined
}

export type ChoiceColumn =
  | 'country'
  | 'connection_type'
  | 'browser'
  | 'os'
  | 'device_type'
  | 'agent_identity'
  | 'agent_category'
  | 'agent'

/** Both ends included. */
export interface ScoreRange {
  from: number
  to: number
}

/** Conditions on identifications; an undefined criterion is no condition. */
export interface Criteria {
  lookups: Lookup[]
  fromMs?: number | undefined
  /** Of each list a row has to have one identifier; no list names one twice. */
  anyOf?: readonly (readonly (Lookup | LocalAddress)[])[]
  /** A row may have none of these. */
  noneOf?: readonly Held[]
  /** Exclusive. */
  toMs?: number | undefined
  scoreMin?: number | undefined
  scoreMax?: number | undefined
  /** The score has to be in one of these. */
  scoreRanges?: readonly ScoreRange[] | undefined
  flags?: Choice<DetectionFlag>
  /** Names of signals that have an entry in the verdict. */
  signals?: Choice<string>
  /** A row has to come from one of these; a network is among them. */
  addresses?: readonly (Lookup | SearchedNetwork)[] | undefined
  /** Names of patterns with an open finding on the row. */
  patterns?: Choice<string>
  /** Number of a finding that has the row in its evidence. */
  finding?: number | undefined
  /** The address that the row leaked, or else the one that it came from directly. */
  localIp?: number | undefined
  /** Whether the visit declares an agent; an index has these. */
  isAgent?: boolean
  /** NULL stands for the empty value, which is another one than all others. */
  columns?: Partial<Record<ChoiceColumn, Choice<string | null>>>
}

/** Criteria of one query. */
export interface QueryCriteria extends Omit<Criteria, 'localIp'> {
  /** The rows of the networks, if they are few. */
  ids?: readonly number[] | undefined
  /** The address that the row came from directly: the network check saw the same one. */
  directFrom?: number
}

/**
 * The queries that together find the rows of the criteria, each of them once. An index has the rows of one identifier in
 * their order, and not those of several, so each of several is a query of its own.
 */
export function queriesOf({ anyOf = [], ...others }: Criteria): QueryCriteria[] {
  const [fewest, ...rest] = anyOf.toSorted((one, other) => one.length - other.length)
  if (!fewest) return queriesOfAddress(others)
  return fewest.flatMap((held) =>
    queriesOfAddress(
      'local' in held
        ? { ...others, anyOf: rest, localIp: held.local }
        : { ...others, anyOf: rest, lookups: [...others.lookups, held] },
    ),
  )
}

function queriesOfAddress({ localIp, ...others }: Criteria): QueryCriteria[] {
  if (localIp === undefined) return [others]
  // Two indexes have the rows behind a local address, and no row is in both.
  const leaked: Lookup = { column: 'webrtc_leak_ip', value: localIp }
  const from: Lookup = { column: 'ip', value: localIp }
  return [
    { ...others, lookups: [...others.lookups, leaked] },
    { ...others, lookups: [...others.lookups, from], directFrom: localIp },
  ]
}

/** Rows of networks that are looked up one by one. In networks with more, a scan finds some soon. */
const NETWORK_ROWS_MAX = 1_000

/**
 * The index of addresses does not have the rows of a network in the order of a search. If they are few, it names them;
 * otherwise the networks remain a criterion that needs a scan.
 */
export async function withNetworkRows(
  db: Kysely<Schema>,
  domainId: number,
  { addresses, ...others }: QueryCriteria,
): Promise<QueryCriteria> {
  if (!addresses) return others
  const ids: number[] = []
  for (const held of addresses) {
    const ofDomain = db.selectFrom('identifications').select('id').where('domain_id', '=', domainId)
    const rows = 'first' in held ? withinNetwork(ofDomain, held) : matching(ofDomain, held)
    const found = await rows.limit(NETWORK_ROWS_MAX + 1 - ids.length).execute()
    ids.push(...found.map(({ id }) => id))
    if (ids.length > NETWORK_ROWS_MAX) return { ...others, addresses }
  }
  return { ...others, ids }
}

const withinNetwork = <Output>(
  rows: SelectQueryBuilder<Schema, 'identifications', Output>,
  { column, first, last }: SearchedNetwork,
) => rows.where(column, '>=', first).where(column, '<=', last)

/** The criteria that an index answers. */
export function indexedRows(
  db: Kysely<Schema>,
  domainId: number,
  { lookups, finding, ids, fromMs, toMs, scoreMin, scoreMax, isAgent }: QueryCriteria,
  order: Order,
  after: SearchPosition | undefined,
): Rows {
  let rows: Rows = db.selectFrom('identifications')
  const isByIds = finding !== undefined || ids !== undefined
  rows = rows.where(isByIds ? engineSql(db).besideIds('domain_id') : 'domain_id', '=', domainId)
  if (finding !== undefined) rows = rows.where('id', 'in', evidenceOf(db, domainId, finding))
  // A list must not be empty, and no identification has the ID 0.
  if (ids) rows = rows.where('id', 'in', [0, ...ids])
  for (const lookup of lookups) rows = matching(rows, lookup)
  if (isAgent) rows = rows.where('agent_identity', 'is not', null)
  if (fromMs !== undefined) rows = rows.where('created_at', '>=', fromMs)
  if (toMs !== undefined) rows = rows.where('created_at', '<', toMs)
  if (order.by === 'score') rows = withScore(rows, scoreMin, scoreMax)
  return after ? rows.where(isAfter(order, after)) : rows
}

const evidenceOf = (db: Kysely<Schema>, domainId: number, finding: number) =>
  db
    .selectFrom('pattern_rows')
    .select('identification_id')
    .where('domain_id', '=', domainId)
    .where('finding_id', '=', finding)

/** The criteria that need a scan of the rows, those last that take longest to check. */
export function withScanCriteria(
  db: Kysely<Schema>,
  rows: Rows,
  { scoreMin, scoreMax, directFrom, ...criteria }: QueryCriteria,
  order: Order,
): Rows {
  // Not the bare column: SQLite would read all such scores from their index, and sort them.
  let matched = order.by === 'time' ? withScore(rows, scoreMin, scoreMax, sql<number>`+score`) : rows
  for (const condition of scanConditions(db, criteria)) matched = matched.where(condition)
  if (directFrom !== undefined)
    matched = matched.where('webrtc_leak_ip', 'is', null).where('web_rtc_ip', '=', directFrom)
  return matched
}

type Condition = Expression<SqlBool>

function scanConditions(
  db: Kysely<Schema>,
  { anyOf = [], noneOf, addresses, scoreRanges, flags, signals, patterns, columns = {} }: QueryCriteria,
): Condition[] {
  return [
    ...anyOf.map(hasAnyOf),
    ...conditionsOf({ any: addresses, none: noneOf }, hasAnyOf),
    ...(scoreRanges ? [isInOneOf(scoreRanges)] : []),
    ...Object.entries(columns).flatMap(([column, choice]) =>
      conditionsOf(choice, (values) => hasAnyValue(column, values)),
    ),
    ...conditionsOf(flags, hasAnyFlag),
    ...conditionsOf(patterns, isInAnyPattern),
    ...conditionsOf(signals, (names) => hasAnySignal(db, names)),
  ]
}

/** @param has whether a row has any of these values, never NULL */
const conditionsOf = <Value>(
  { any, none }: Choice<Value> = {},
  has: (values: readonly Value[]) => Condition,
): Condition[] => [...(any ? [has(any)] : []), ...(none ? [sql<boolean>`not (${has(none)})`] : [])]

const hasAnyOf = (held: readonly Held[]): Condition => eitherOf(held.map(has))

// None has the bare column: SQLite would read the rows of these from their index, and sort them.
function has(held: Held): Condition {
  if ('local' in held) return hasLocalAddress(held)
  const { column } = held
  const named = sql.ref(column)
  if ('first' in held)
    return sql<boolean>`(${named} is not null and coalesce(${named}, null) between ${held.first} and ${held.last})`
  const { value, aliases = [] } = held
  if (value === null) return sql<boolean>`${named} is null`
  return sql<boolean>`(${named} is not null and coalesce(${named}, null) in (${sql.join([value, ...aliases])}))`
}

/** No address is -1. */
const hasLocalAddress = ({ local }: LocalAddress): Condition =>
  sql<boolean>`coalesce(webrtc_leak_ip, case when web_rtc_ip = ip then ip end, -1) = ${local}`

const isInOneOf = (ranges: readonly ScoreRange[]): Condition =>
  eitherOf(ranges.map(({ from, to }) => sql<boolean>`+score between ${from} and ${to}`))

function hasAnyValue(column: string, values: readonly (string | null)[]): Condition {
  const named = sql.ref(column)
  const texts = values.filter((value) => value !== null)
  return eitherOf([
    ...(values.includes(null) ? [sql<boolean>`${named} is null`] : []),
    // NULL is in no list, and neither in its opposite.
    ...(texts.length > 0 ? [sql<boolean>`(${named} is not null and ${named} in (${sql.join(texts)}))`] : []),
  ])
}

const hasAnyFlag = (flags: readonly DetectionFlag[]): Condition =>
  sql<boolean>`(flags & ${flags.reduce((bits, flag) => bits | flagBit(flag), 0)}) <> 0`

/** The text of the verdict is searched first: few rows that have it do not have the entry. */
function hasAnySignal(db: Kysely<Schema>, names: readonly string[]): Condition {
  const texts = names.map((name) => sql<boolean>`verdict like ${`%"name":"${name}"%`}`)
  const entries = engineSql(db).elements(sql`verdict`, 'entries')
  return sql<boolean>`${eitherOf(texts)} and exists (
    select 1 from ${entries} as entry where entry.value ->> 'name' in (${sql.join(names)}))`
}

const isInAnyPattern = (patterns: readonly string[]): Condition => sql<boolean>`exists (
  select 1 from pattern_rows
  inner join pattern_findings on pattern_findings.domain_id = pattern_rows.domain_id
    and pattern_findings.id = pattern_rows.finding_id
  where pattern_rows.domain_id = identifications.domain_id
    and pattern_rows.identification_id = identifications.id
    and pattern_findings.pattern in (${sql.join(patterns)})
    and pattern_findings.resolved_at is null)`

/** Nothing is either of none. */
const eitherOf = (conditions: readonly Condition[]): Condition =>
  conditions.length === 0 ? sql<boolean>`1 = 0` : sql<boolean>`(${sql.join(conditions, sql` or `)})`

export function needsScan(criteria: QueryCriteria, order: Order): boolean {
  const { scoreMin, scoreMax, scoreRanges, flags, signals, patterns, directFrom, addresses } = criteria
  const score = order.by === 'time' && (scoreMin !== undefined || scoreMax !== undefined)
  const others = [scoreRanges, flags, signals, patterns, directFrom, addresses]
  const { anyOf = [], noneOf = [], columns = {} } = criteria
  return (
    score ||
    others.some((given) => given !== undefined) ||
    anyOf.length + noneOf.length + Object.keys(columns).length > 0
  )
}

function withScore(
  rows: Rows,
  min: number | undefined,
  max: number | undefined,
  score: 'score' | RawBuilder<number> = 'score',
): Rows {
  let scored = rows
  if (min !== undefined) scored = scored.where(score, '>=', min)
  if (max !== undefined) scored = scored.where(score, '<=', max)
  return scored
}
