import type { DetectionFlag } from '@inkling/contract'
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import { flagBit } from '../../lib/flag-bits.ts'
import type { IdentificationTable, Schema } from '../schema.ts'
import { readVerdict } from './identification-row.ts'
import type { IdentificationRow } from './identifications.ts'
import type { Lookup } from './lookup.ts'

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
  /** Name of a pattern with an open finding on the row. */
  pattern?: string | undefined
  /** NULL stands for the empty value. */
  equal: Partial<Pick<IdentificationRow, 'country' | 'connection_type' | 'browser' | 'os' | 'device_type'>>
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
  { after, limit, scanMax = SCAN_MAX }: PageBounds,
): Promise<SearchPage> {
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

/** The criteria that an index answers. */
function indexedRows(
  db: Kysely<Schema>,
  domainId: number,
  { lookups, fromMs, toMs, scoreMin, scoreMax }: Criteria,
  order: Order,
  after: SearchPosition | undefined,
): Rows {
  let rows: Rows = db.selectFrom('identifications').where('domain_id', '=', domainId)
  for (const { column, value } of lookups) rows = rows.where(column, value === null ? 'is' : '=', value)
  if (fromMs !== undefined) rows = rows.where('created_at', '>=', fromMs)
  if (toMs !== undefined) rows = rows.where('created_at', '<', toMs)
  if (order.by === 'score') rows = withScore(rows, scoreMin, scoreMax)
  return after ? rows.where(isAfter(order, after)) : rows
}

/** The criteria that need a scan of the rows. */
function withScanCriteria(rows: Rows, criteria: Criteria, order: Order): Rows {
  const { scoreMin, scoreMax, flag, signal, pattern, equal } = criteria
  let matching = order.by === 'time' ? withScore(rows, scoreMin, scoreMax) : rows
  for (const [column, value] of Object.entries(equal) as [keyof typeof equal, string | null][])
    matching = matching.where(column, value === null ? 'is' : '=', value)
  if (flag !== undefined) {
    const bit = flagBit(flag)
    matching = matching.where(sql<boolean>`(flags & ${bit}) <> 0`)
  }
  // Also matches rows whose evidence contains the same text; the caller filters those.
  if (signal !== undefined) matching = matching.where('verdict', 'like', `%"name":"${signal}"%`)
  if (pattern !== undefined)
    matching = matching.where(({ exists, selectFrom }) =>
      exists(
        selectFrom('pattern_rows')
          .innerJoin('pattern_findings', 'pattern_findings.id', 'pattern_rows.finding_id')
          .select('pattern_rows.finding_id')
          .whereRef('pattern_rows.domain_id', '=', 'identifications.domain_id')
          .whereRef('pattern_rows.identification_id', '=', 'identifications.id')
          .where('pattern_findings.pattern', '=', pattern)
          .where('pattern_findings.resolved_at', 'is', null),
      ),
    )
  return matching
}

function needsScan({ scoreMin, scoreMax, flag, signal, pattern, equal }: Criteria, order: Order): boolean {
  const score = order.by === 'time' && (scoreMin !== undefined || scoreMax !== undefined)
  return (
    score ||
    flag !== undefined ||
    signal !== undefined ||
    pattern !== undefined ||
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
