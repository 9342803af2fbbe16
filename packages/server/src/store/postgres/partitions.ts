import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema.ts'

/** Partitions of `identifications`, one for each week. Rows of other times are in the default partition. */
export const WEEK_MS = 7 * 86_400_000
/** A Monday. */
const FIRST_WEEK_MS = Date.UTC(2024, 0, 1)
/** Created ahead, hour by hour. Not more of them, because queries without a time are planned for every partition. */
const WEEKS_AHEAD = 2

/** Every query on the table waits behind a waiting lock, so locks are given up early and requested again later. */
const LOCK_TIMEOUT = '500ms'
/** Time to find that a partition is empty; reading all of its dead rows may take long. */
const EMPTY_TIMEOUT = '1s'
/** SQLSTATE of a lock timeout and of a statement timeout. */
const TIMEOUTS = ['55P03', '57014']

const isTimeout = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && TIMEOUTS.includes(String(error.code))

/**
 * Creates the partitions of this week and the next ones. A week whose rows are already in the default partition stays
 * there. After a lock timeout, the next call tries again.
 */
export async function makePartitions(writes: Kysely<Schema>, nowMs: number): Promise<void> {
  const thisWeek = FIRST_WEEK_MS + Math.floor((nowMs - FIRST_WEEK_MS) / WEEK_MS) * WEEK_MS
  const weeks = Array.from({ length: WEEKS_AHEAD + 1 }, (_, index) => thisWeek + index * WEEK_MS)
  if ((await missingWeeks(writes, weeks)).length === 0) return
  // Checked again in a transaction, because another node may have created them.
  const created = writes.transaction().execute(async (transaction) => {
    await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(transaction)
    for (const fromMs of await missingWeeks(transaction, weeks)) await makePartition(transaction, fromMs)
  })
  await created.catch((error: unknown) => {
    if (!isTimeout(error)) throw error
  })
}

async function missingWeeks(db: Kysely<Schema>, weeks: readonly number[]): Promise<number[]> {
  const existing = new Set(await partitionNames(db))
  return weeks.filter((fromMs) => !existing.has(nameOfWeek(fromMs)))
}

async function makePartition(db: Kysely<Schema>, fromMs: number): Promise<void> {
  const { rows } = await sql`
    select 1 from identifications_other
    where created_at >= ${fromMs} and created_at < ${fromMs + WEEK_MS} limit 1`.execute(db)
  if (rows.length > 0) return
  await sql`
    create table ${sql.id(nameOfWeek(fromMs))} partition of identifications
    for values from (${sql.lit(fromMs)}) to (${sql.lit(fromMs + WEEK_MS)})`.execute(db)
}

/** Names sort by time. */
export const nameOfWeek = (fromMs: number): string =>
  `identifications_${new Date(fromMs).toISOString().slice(0, 10).replaceAll('-', '')}`

export async function partitionNames(db: Kysely<Schema>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select child.relname as name from pg_inherits join pg_class child on child.oid = inhrelid
    where inhparent = 'identifications'::regclass`.execute(db)
  return rows.map(({ name }) => name)
}

/**
 * Drops empty partitions of weeks that ended before `beforeMs`.
 * @returns the number of dropped partitions; 0 after a lock timeout
 */
export async function dropOldPartitions(db: Kysely<Schema>, beforeMs: number): Promise<number> {
  const lastName = nameOfWeek(beforeMs - WEEK_MS)
  const old: string[] = []
  // The default partition's name sorts after all weeks.
  for (const name of await partitionNames(db))
    if (name <= lastName && (await isEmpty(db, name))) old.push(name)
  if (old.length === 0) return 0
  try {
    return await db.transaction().execute((transaction) => dropEmpty(transaction, old))
  } catch (error) {
    if (isTimeout(error)) return 0
    throw error
  }
}

/** Checks again under the lock, because a row may have been inserted meanwhile. */
async function dropEmpty(transaction: Kysely<Schema>, names: readonly string[]): Promise<number> {
  await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(transaction)
  await sql`set local statement_timeout = ${sql.lit(EMPTY_TIMEOUT)}`.execute(transaction)
  await sql`lock table only identifications in access exclusive mode`.execute(transaction)
  let dropped = 0
  for (const name of names) {
    if (!(await isEmpty(transaction, name))) continue
    await sql`drop table ${sql.id(name)}`.execute(transaction)
    dropped += 1
  }
  return dropped
}

async function isEmpty(db: Kysely<Schema>, name: string): Promise<boolean> {
  const { rows } = await sql`select 1 from ${sql.id(name)} limit 1`.execute(db)
  return rows.length === 0
}
