import type { DetectionFlag } from '@inkling/contract'
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import { flagBit } from '../../lib/flag-bits.ts'
import { engineSql } from '../engine-sql.ts'
import type { Schema } from '../schema.ts'
import type { IdentificationTable } from '../visit-tables.ts'
import { readVerdict } from './identification-row.ts'
import type { IdentificationRow } from './identifications.ts'
import { type Lookup, matching, type SearchedNetwork } from './lookup.ts'

type EqualColumn =
  | 'country'
  | 'connection_type'
  | 'browser'
  | 'os'
  | 'device_type'
  | 'agent_identity'
  | 'agent_category'
  | 'agent'

/** Conditions on identifications; an undefined criterion is no condition. */
export interface Criteria {
  lookups: Lookup[]
  fromMs?: number | undefined
  /** Exclusive. */
  toMs?: number | undefined
  scoreMin?: number | undefined
  scoreMax?: number | undefined
  flag?: DetectionFlag | undefined
  /** Name of a signal that has an entry in the verdict. */
  signal?: string | undefined
  network?: SearchedNetwork | undefined
  /** Name of a pattern with an open finding on the row. */
  pattern?: string | undefined
  /** Number of a finding that has the row in its evidence. */
  finding?: number | undefined
  /** The address that the row leaked, or else the one that it came from directly. */
  localIp?: number | undefined
  /** Whether the visit declares an agent; an index has these. */
  isAgent?: boolean
  /** NULL stands for the empty value. */
  equal: Partial<Pick<IdentificationRow, EqualColumn>>
}

export interface Order {
  by: 'time' | 'score'
  direction: 'asc' | 'desc'
}

/** Values of a row's sort columns: `created_at, id` or `score, created_at, id`. */
export type SearchPosition = readonly number[]

export interface SearchPage {
  rows: IdentificationRow[]
  /** Where the next page starts; undefined at the end. */
  next: SearchPosition | undefined
}

export interface PageBounds {
  /** `next` of the previous page; undefined for the first one. */
  after: SearchPosition | undefined
  limit: number
  scanMax?: number
}

/**
 * Rows that one page scans for criteria without an index: measured 30 ms by time and 60 ms by score. A search for rare
 * rows takes several pages instead of blocking a reader thread.
 */
const SCAN_MAX = 25_000

export const positionSize = ({ by }: Order): number => (by === 'time' ? 2 : 3)

type Rows = SelectQueryBuilder<Schema, 'identifications', object>

/**
 * One page of a search. It may have fewer rows than `limit`, or none, before the end: only `next` tells.
 */
export async function searchPage(
  db: Kysely<Schema>,
  domainId: number,
  criteria: Criteria,
  order: Order,
  bounds: PageBounds,
): Promise<SearchPage> {
  const { localIp, ...others } = criteria
  if (localIp === undefined) return onePage(db, domainId, others, order, bounds)
  // Two indexes have the rows behind a local address, and no row is in both.
  const leaked: Lookup = { column: 'webrtc_leak_ip', value: localIp }
  const from: Lookup = { column: 'ip', value: localIp }
  const pages = await Promise.all([
    onePage(db, domainId, { ...others, lookups: [...others.lookups, leaked] }, order, bounds),
    onePage(
      db,
      domainId,
      { ...others, lookups: [...others.lookups, from], directFrom: localIp },
      order,
      bounds,
    ),
  ])
  return mergePages(pages, order, bounds.limit)
}

/** The rows up to where the shorter of the pages ends. */
function mergePages(pages: readonly SearchPage[], order: Order, limit: number): SearchPage {
  const compare = inDirection(order)
  const [reached] = pages.flatMap(({ next }) => (next ? [next] : [])).sort(compare)
  const rows = pages
    .flatMap((page) => page.rows)
    .sort((a, b) => compare(positionOf(a, order), positionOf(b, order)))
    .filter((row) => !reached || compare(positionOf(row, order), reached) <= 0)
  const full = rows.length > limit ? rows[limit - 1] : undefined
  return { rows: rows.slice(0, limit), next: full ? positionOf(full, order) : reached }
}

/** Compares positions as the rows are sorted. */
const inDirection =
  ({ direction }: Order) =>
  (one: SearchPosition, other: SearchPosition): number => {
    const index = one.findIndex((value, at) => value !== other[at])
    const difference = (one[index] ?? 0) - (other[index] ?? 0)
    return direction === 'asc' ? difference : 0 - difference
  }

/** Criteria of one query. */
interface QueryCriteria extends Omit<Criteria, 'localIp'> {
  /** The rows of the network, if they are few. */
  ids?: readonly number[] | undefined
  /** The address that the row came from directly: the network check saw the same one. */
  directFrom?: number
}

async function onePage(
  db: Kysely<Schema>,
  domainId: number,
  given: QueryCriteria,
  order: Order,
  { after, limit, scanMax = SCAN_MAX }: PageBounds,
): Promise<SearchPage> {
  const criteria = await withNetworkRows(db, domainId, given)
  const indexed = inOrder(indexedRows(db, domainId, criteria, order, after), order)
  const last = needsScan(criteria, order) ? await scanEnd(indexed, order, scanMax) : undefined
  const within = last ? indexed.where(isUpTo(order, last)) : indexed
  const rows = await withScanCriteria(within, criteria, order).selectAll().limit(limit).execute()
  const full = rows.length === limit ? rows.at(-1) : undefined
  const { signal } = criteria
  return {
    rows: signal === undefined ? rows : rows.filter((row) => hasEntry(row, signal)),
    next: full ? positionOf(full, order) : last,
  }
}

/** Rows of a network that are looked up one by one. In a network with more, a scan finds some soon. */
const NETWORK_ROWS_MAX = 1_000

/**
 * The index of addresses does not have the rows of a network in the order of a search. If they are few, it names them;
 * otherwise the network remains a criterion that needs a scan.
 */
async function withNetworkRows(
  db: Kysely<Schema>,
  domainId: number,
  { network, ...others }: QueryCriteria,
): Promise<QueryCriteria> {
  if (!network) return others
  const { column, first, last } = network
  const rows = await db
    .selectFrom('identifications')
    .select('id')
    .where('domain_id', '=', domainId)
    .where(column, '>=', first)
    .where(column, '<=', last)
    .limit(NETWORK_ROWS_MAX + 1)
    .execute()
  return rows.length > NETWORK_ROWS_MAX
    ? { ...others, network }
    : { ...others, ids: rows.map(({ id }) => id) }
}

/** The criteria that an index answers. */
function indexedRows(
  db: Kysely<Schema>,
  domainId: number,
  { lookups, finding, ids, fromMs, toMs, scoreMin, scoreMax, isAgent }: QueryCriteria,
  order: Order,
  after: SearchPosition | undefined,
): Rows {
  let rows: Rows = db.selectFrom('identifications')
  const isByIds = finding !== undefined || ids !== undefined
  rows = rows.where(isByIds ? engineSql(db).domainBesideIds : 'domain_id', '=', domainId)
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

/** The criteria that need a scan of the rows. */
function withScanCriteria(rows: Rows, criteria: QueryCriteria, order: Order): Rows {
  const { scoreMin, scoreMax, flag, signal, pattern, equal, directFrom, network } = criteria
  let matching = order.by === 'time' ? withScore(rows, scoreMin, scoreMax) : rows
  for (const [column, value] of Object.entries(equal) as [keyof typeof equal, string | null][])
    matching = matching.where(column, value === null ? 'is' : '=', value)
  if (flag !== undefined) {
    const bit = flagBit(flag)
    matching = matching.where(sql<boolean>`(flags & ${bit}) <> 0`)
  }
  if (directFrom !== undefined)
    matching = matching.where('webrtc_leak_ip', 'is', null).where('web_rtc_ip', '=', directFrom)
  if (network !== undefined) {
    // Not the bare column: SQLite would read all of the network from its index, however few rows may be scanned.
    const address = sql`coalesce(${sql.ref(network.column)}, null)`
    matching = matching.where(sql<boolean>`${address} between ${network.first} and ${network.last}`)
  }
  // Also matches rows whose evidence contains the same text; the caller filters those.
  if (signal !== undefined) matching = matching.where('verdict', 'like', `%"name":"${signal}"%`)
  if (pattern !== undefined)
    matching = matching.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('pattern_rows')
          .innerJoin('pattern_findings', (join) =>
            join
              .onRef('pattern_findings.domain_id', '=', 'pattern_rows.domain_id')
              .onRef('pattern_findings.id', '=', 'pattern_rows.finding_id'),
          )
          .select('pattern_rows.finding_id')
          .whereRef('pattern_rows.domain_id', '=', 'identifications.domain_id')
          .whereRef('pattern_rows.identification_id', '=', 'identifications.id')
          .where('pattern_findings.pattern', '=', pattern)
          .where('pattern_findings.resolved_at', 'is', null),
      ),
    )
  return matching
}

function needsScan(
  { scoreMin, scoreMax, flag, signal, pattern, equal, directFrom, network }: QueryCriteria,
  order: Order,
): boolean {
  const score = order.by === 'time' && (scoreMin !== undefined || scoreMax !== undefined)
  return (
    score ||
    flag !== undefined ||
    signal !== undefined ||
    pattern !== undefined ||
    directFrom !== undefined ||
    network !== undefined ||
    Object.keys(equal).length > 0
  )
}

function withScore(rows: Rows, min: number | undefined, max: number | undefined): Rows {
  let scored = rows
  if (min !== undefined) scored = scored.where('score', '>=', min)
  if (max !== undefined) scored = scored.where('score', '<=', max)
  return scored
}

/** Position of the last row that a page may scan; undefined if fewer rows remain. */
async function scanEnd(indexed: Rows, order: Order, scanMax: number): Promise<SearchPosition | undefined> {
  const row = await indexed
    .select(columnsOf(order))
    .offset(scanMax - 1)
    .limit(1)
    .executeTakeFirst()
  return row && positionOf(row, order)
}

const columnsOf = ({ by }: Order) =>
  by === 'time' ? (['created_at', 'id'] as const) : (['score', 'created_at', 'id'] as const)

const inOrder = (rows: Rows, order: Order): Rows =>
  columnsOf(order).reduce<Rows>((sorted, column) => sorted.orderBy(column, order.direction), rows)

/** Comparison of row values, which both engines answer with a seek in the index. */
const isAfter = (order: Order, position: SearchPosition) =>
  sql<boolean>`(${references(order)}) ${order.direction === 'asc' ? sql`>` : sql`<`} (${values(position)})`

const isUpTo = (order: Order, position: SearchPosition) =>
  sql<boolean>`(${references(order)}) ${order.direction === 'asc' ? sql`<=` : sql`>=`} (${values(position)})`

const references = (order: Order) => sql.join(columnsOf(order).map((column) => sql.ref(column)))
const values = (position: SearchPosition) => sql.join(position.map((value) => sql.val(value)))

const positionOf = (row: Pick<IdentificationTable, 'score' | 'created_at'> & { id: unknown }, order: Order) =>
  columnsOf(order).map((column) => Number(row[column]))

const hasEntry = ({ verdict }: IdentificationRow, signal: string): boolean =>
  readVerdict(verdict).entries.some(({ name }) => name === signal)
