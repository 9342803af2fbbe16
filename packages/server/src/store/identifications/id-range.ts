import { type Kysely, type RawBuilder, SqliteAdapter, sql } from 'kysely'
import { engineSql } from '../engine-sql.ts'
import type { Schema } from '../schema.ts'

/** A row further ahead than clocks differ is taken as it is, because waiting for it would hold up all others. */
const CLOCK_SKEW_MS = 60_000

/** Identifications whose numbers follow each other: those after `after` up to and including `through`. */
export interface IdRange {
  after: number
  through: number
  count: number
  /** When the first and the last of them were created. */
  fromMs: number
  toMs: number
  /** Whether no more of them have settled. */
  isLast: boolean
}

interface RangeOptions {
  nowMs: number
  /** Late evidence may still change younger ones, so the range ends before the first of them. */
  settledAfterMs: number
  /** Numbers in a range, some of which may have no row. */
  limit: number
  through?: number
}

/** The next identifications that have settled; undefined if there are none. */
export async function nextIdRange(
  db: Kysely<Schema>,
  after: number,
  options: RangeOptions,
): Promise<IdRange | undefined> {
  const { nowMs, settledAfterMs, limit, through: end = Number.MAX_SAFE_INTEGER } = options
  const newest = Math.min(end, await newestNumber(db, 'identifications'))
  if (after >= newest) return undefined
  const isOpen = sql<boolean>`created_at > ${nowMs - settledAfterMs} and created_at <= ${nowMs + CLOCK_SKEW_MS}`
  const through = Math.min(after + limit, newest)
  const found = await rowsBetween(db, after, through, isOpen)
  if (found.count === 0) {
    const next = through === newest ? undefined : await firstAfter(db, through)
    return next === undefined || next > newest ? undefined : nextIdRange(db, next - 1, options)
  }
  if (found.firstOpen === null) return rangeOf(after, found, through === newest)
  const settled = await rowsBetween(db, after, found.firstOpen - 1, isOpen)
  return settled.count === 0 ? undefined : rangeOf(after, settled, true)
}

/**
 * The condition that identifications are in a range. Their times name the partitions: without them PostgreSQL plans for
 * those of all weeks, in each shard of a cluster, which takes longer than to read the rows.
 */
export function inRange(
  db: Kysely<Schema>,
  { after, through, fromMs, toMs }: IdRange,
  alias = 'identifications',
): RawBuilder<boolean> {
  const id = sql.ref(`${alias}.id`)
  const createdAt = engineSql(db).besideIds(`${alias}.created_at`)
  return sql<boolean>`${id} > ${sql.lit(after)} and ${id} <= ${sql.lit(through)}
    and ${createdAt} >= ${sql.lit(fromMs)} and ${createdAt} <= ${sql.lit(toMs)}`
}

/** No visible row has a greater number. PostgreSQL draws numbers from a sequence, which asks no shard. */
export async function newestNumber(
  db: Kysely<Schema>,
  table: 'identifications' | 'decisions',
): Promise<number> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter
  const { rows } = await (isSqlite
    ? sql<{ id: number }>`select coalesce(max(id), 0) as id from ${sql.table(table)}`
    : sql<{ id: number }>`select last_value as id from ${sql.id(`${table}_id_seq`)}`
  ).execute(db)
  return rows[0]?.id ?? 0
}

interface Found {
  count: number
  last: number
  firstOpen: number | null
  fromMs: number
  toMs: number
}

async function rowsBetween(
  db: Kysely<Schema>,
  after: number,
  through: number,
  isOpen: RawBuilder<boolean>,
): Promise<Found> {
  const { rows } = await sql<Found>`
    select count(*) as count, coalesce(max(id), 0) as last, min(case when ${isOpen} then id end) as "firstOpen",
      coalesce(min(created_at), 0) as "fromMs", coalesce(max(created_at), 0) as "toMs"
    from identifications where id > ${after} and id <= ${through}`.execute(db)
  return rows[0] ?? { count: 0, last: 0, firstOpen: null, fromMs: 0, toMs: 0 }
}

const rangeOf = (after: number, { count, last, fromMs, toMs }: Found, isLast: boolean): IdRange => ({
  after,
  through: last,
  count,
  fromMs,
  toMs,
  isLast,
})

async function firstAfter(db: Kysely<Schema>, id: number): Promise<number | undefined> {
  const next = await db
    .selectFrom('identifications')
    .select('id')
    .where('id', '>', id)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return next?.id
}
