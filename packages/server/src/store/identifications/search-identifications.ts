import { DETECTION_FLAGS, type DetectionFlag } from '@inkling/contract'
import { type Kysely, type SelectQueryBuilder, sql } from 'kysely'
import type { IdentificationTable, Schema } from '../schema.ts'
import { readVerdict } from './identification-row.ts'
import type { IdentificationRow, Lookup } from './identifications.ts'

/** What rows must be like; a criterion that is undefined asks for nothing. */
export interface Criteria {
  lookups: NonNullable<Lookup>[]
  fromMs?: number | undefined
  /** Rows of this time are out. */
  toMs?: number | undefined
  scoreMin?: number | undefined
  scoreMax?: number | undefined
  flag?: DetectionFlag | undefined
  /** Name of a signal with an entry in the verdict. */
  signal?: string | undefined
  /** Name of a pattern of whose findings the row is evidence. */
  pattern?: string | undefined
  /** NULL stands for the row's empty value. */
  equal: Partial<Pick<IdentificationRow, 'country' | 'connection_type' | 'browser' | 'os' | 'device_type'>>
}

export interface Order {
  by: 'time' | 'score'
  direction: 'asc' | 'desc'
}

/** The columns of an order in a row: `created_at, id`, or `score, created_at, id`. */
export type Position = readonly number[]

export interface Stretch {
  rows: IdentificationRow[]
  /** Where the next one begins; undefined when everything was looked at. */
  next: Position | undefined
}

export interface StretchBounds {
  /** Where the stretch before ended; undefined at the beginning. */
  after: Position | undefined
  limit: number
  lookedAtMax?: number
}

/**
 * Rows that one call looks at when their criteria are in no index: measured, 30 ms by time and 60 ms by score.
 * A search for something rare goes on stretch by stretch instead of holding a reader thread.
 */
const LOOKED_AT_MAX = 25_000

export const positionSize = ({ by }: Order): number => (by === 'time' ? 2 : 3)

type Rows = SelectQueryBuilder<Schema, 'identifications', object>

/**
 * The next rows of a search, `limit` at the most: fewer, or none, does not mean the end.
 */
export async function searchStretch(
  db: Kysely<Schema>,
  domainId: number,
  criteria: Criteria,
  order: Order,
  { after, limit, lookedAtMax = LOOKED_AT_MAX }: StretchBounds,
): Promise<Stretch> {
  const indexed = inOrder(indexedRows(db, domainId, criteria, order, after), order)
  const last = needsScan(criteria, order) ? await endOfStretch(indexed, order, lookedAtMax) : undefined
  const within = last ? indexed.where(isUpTo(order, last)) : indexed
  const rows = await scanned(within, criteria, order).selectAll().limit(limit).execute()
  const full = rows.length === limit ? rows.at(-1) : undefined
  const { signal } = criteria
  return {
    rows: signal === undefined ? rows : rows.filter((row) => hasEntry(row, signal)),
    next: full ? positionOf(full, order) : last,
  }
}

/** What an index narrows down. */
function indexedRows(
  db: Kysely<Schema>,
  domainId: number,
  { lookups, fromMs, toMs, scoreMin, scoreMax }: Criteria,
  order: Order,
  after: Position | undefined,
): Rows {
  let rows: Rows = db.selectFrom('identifications').where('domain_id', '=', domainId)
  for (const { column, value } of lookups) rows = rows.where(column, value === null ? 'is' : '=', value)
  if (fromMs !== undefined) rows = rows.where('created_at', '>=', fromMs)
  if (toMs !== undefined) rows = rows.where('created_at', '<', toMs)
  if (order.by === 'score') rows = withScore(rows, scoreMin, scoreMax)
  return after ? rows.where(isAfter(order, after)) : rows
}

/** What has to be read in the rows themselves. */
function scanned(rows: Rows, criteria: Criteria, order: Order): Rows {
  const { scoreMin, scoreMax, flag, signal, pattern, equal } = criteria
  let matching = order.by === 'time' ? withScore(rows, scoreMin, scoreMax) : rows
  for (const [column, value] of Object.entries(equal) as [keyof typeof equal, string | null][])
    matching = matching.where(column, value === null ? 'is' : '=', value)
  if (flag !== undefined) {
    const bit = 1 << DETECTION_FLAGS.findIndex((known) => known.flag === flag)
    matching = matching.where(sql<boolean>`(flags & ${bit}) <> 0`)
  }
  // Finds all that have the entry, and now and then one whose evidence reads alike: that is sorted out later.
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

/** The last row that one stretch may look at; undefined when the rest is shorter. */
async function endOfStretch(indexed: Rows, order: Order, lookedAtMax: number): Promise<Position | undefined> {
  const row = await indexed
    .select(columnsOf(order))
    .offset(lookedAtMax - 1)
    .limit(1)
    .executeTakeFirst()
  return row && positionOf(row, order)
}

const columnsOf = ({ by }: Order) =>
  by === 'time' ? (['created_at', 'id'] as const) : (['score', 'created_at', 'id'] as const)

const inOrder = (rows: Rows, order: Order): Rows =>
  columnsOf(order).reduce<Rows>((sorted, column) => sorted.orderBy(column, order.direction), rows)

/** Row values: both engines walk the index to where they stand. */
const isAfter = (order: Order, position: Position) =>
  sql<boolean>`(${references(order)}) ${order.direction === 'asc' ? sql`>` : sql`<`} (${values(position)})`

const isUpTo = (order: Order, position: Position) =>
  sql<boolean>`(${references(order)}) ${order.direction === 'asc' ? sql`<=` : sql`>=`} (${values(position)})`

const references = (order: Order) => sql.join(columnsOf(order).map((column) => sql.ref(column)))
const values = (position: Position) => sql.join(position.map((value) => sql.val(value)))

const positionOf = (row: Pick<IdentificationTable, 'score' | 'created_at'> & { id: unknown }, order: Order) =>
  columnsOf(order).map((column) => Number(row[column]))

const hasEntry = ({ verdict }: IdentificationRow, signal: string): boolean =>
  readVerdict(verdict).entries.some(({ name }) => name === signal)
