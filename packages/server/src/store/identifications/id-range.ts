import { type Kysely, type RawBuilder, SqliteAdapter, sql } from 'kysely'
import { engineSql } from '../engine-sql.ts'
import type { Schema } from '../schema.ts'
import type { Store } from '../store.ts'

/** A row further ahead than clocks differ is taken as it is, because waiting for it would hold up all others. */
export const CLOCK_SKEW_MS = 60_000

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

type Reads = Pick<Store, 'jobReads' | 'areCommitsEnded'>

/** How long ago jobs may have asked whether commits are ended: all of them wait longer for rows to settle. */
export const ASKED_MS = 5_000

/** The next identifications that have settled; undefined if there are none, or a commit has yet to be ended on its worker. */
export async function nextIdRange(
  { jobReads, areCommitsEnded }: Reads,
  after: number,
  options: RangeOptions,
): Promise<IdRange | undefined> {
  const { through = Number.MAX_SAFE_INTEGER } = options
  const newest = Math.min(through, await newestNumber(jobReads, 'identifications'))
  // Asked before the rows are read.
  if (after >= newest || !(await areCommitsEnded(ASKED_MS))) return undefined
  return rangeUpTo(jobReads, newest, after, options)
}

async function rangeUpTo(
  db: Kysely<Schema>,
  newest: number,
  after: number,
  options: RangeOptions,
): Promise<IdRange | undefined> {
  const { nowMs, settledAfterMs, limit } = options
  const isOpen = sql<boolean>`created_at > ${nowMs - settledAfterMs} and created_at <= ${nowMs + CLOCK_SKEW_MS}`
  const through = Math.min(after + limit, newest)
  const found = await summaryOf(
    db,
    sql`id > ${after} and id <= ${through}`,
    sql`min(case when ${isOpen} then id end)`,
  )
  if (found.count === 0) {
    const next = through === newest ? undefined : await firstAfter(db, through)
    return next === undefined || next > newest ? undefined : rangeUpTo(db, newest, next - 1, options)
  }
  if (found.firstOpen === null) return rangeOf(after, found, through === newest)
  const { fromMs, toMs } = found
  const isSettled = inRange(db, { after, through: found.firstOpen - 1, fromMs, toMs })
  const settled = await summaryOf(db, isSettled, sql`null`)
  return settled.count === 0 ? undefined : rangeOf(after, settled, true)
}

/**
 * The condition that identifications are in a range. Their times name the partitions: without them PostgreSQL plans for
 * those of all weeks, in each shard of a cluster, which takes longer than to read the rows.
 */
export function inRange(
  db: Kysely<Schema>,
  { after, through, fromMs, toMs }: Omit<IdRange, 'count' | 'isLast'>,
  alias = 'identifications',
): RawBuilder<boolean> {
  const id = sql.ref(`${alias}.id`)
  const createdAt = engineSql(db).besideIds(`${alias}.created_at`)
  return sql<boolean>`${id} > ${sql.lit(after)} and ${id} <= ${sql.lit(through)}
    and ${createdAt} >= ${sql.lit(fromMs)} and ${createdAt} <= ${sql.lit(toMs)}`
}

/**
 * A position among the rows. The embedded database gives the numbers of its newest rows, once they are removed, to the next
 * ones, so that a position may be past them.
 */
export async function notPast(
  db: Kysely<Schema>,
  table: 'identifications' | 'decisions',
  position: number,
): Promise<number> {
  return isSqlite(db) ? Math.min(position, await newestNumber(db, table)) : position
}

/** No visible row has a greater number. PostgreSQL draws numbers from a sequence, which asks no shard. */
export async function newestNumber(
  db: Kysely<Schema>,
  table: 'identifications' | 'decisions',
): Promise<number> {
  const { rows } = await (isSqlite(db)
    ? sql<{ id: number }>`select coalesce(max(id), 0) as id from ${sql.table(table)}`
    : sql<{ id: number }>`select last_value as id from ${sql.id(`${table}_id_seq`)}`
  ).execute(db)
  return rows[0]?.id ?? 0
}

const isSqlite = (db: Kysely<Schema>): boolean => db.getExecutor().adapter instanceof SqliteAdapter

interface Found {
  count: number
  last: number
  firstOpen: number | null
  fromMs: number
  toMs: number
}

async function summaryOf(
  db: Kysely<Schema>,
  where: RawBuilder<unknown>,
  firstOpen: RawBuilder<unknown>,
): Promise<Found> {
  const { rows } = await sql<Found>`
    select count(*) as count, coalesce(max(id), 0) as last, ${firstOpen} as "firstOpen",
      coalesce(min(created_at), 0) as "fromMs", coalesce(max(created_at), 0) as "toMs"
    from identifications where ${where}`.execute(db)
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
