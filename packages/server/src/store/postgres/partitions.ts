import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema.ts'

export const WEEK_MS = 7 * 86_400_000
/** A Monday. */
const FIRST_WEEK_MS = Date.UTC(2024, 0, 1)
/** Made ahead, so that a node that is not restarted for a while never finds none. */
const WEEKS_AHEAD = 8

/** Every question waits behind a lock that waits, so that it is rather tried again the next time. */
export const LOCK_TIMEOUT = '500ms'
const GIVEN_UP = ['55P03', '57014']

/** Whether a lock was not to be had in time, or what it was for took too long. */
export const isGivenUp = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && GIVEN_UP.includes(String(error.code))

/**
 * Makes the partitions of this week and the next ones. Rows of other times lie in the default partition; a week
 * of which it has rows already stays there, as do those that were in use all the time.
 */
export async function makePartitions(writes: Kysely<Schema>, nowMs: number): Promise<void> {
  const thisWeek = FIRST_WEEK_MS + Math.floor((nowMs - FIRST_WEEK_MS) / WEEK_MS) * WEEK_MS
  const weeks = Array.from({ length: WEEKS_AHEAD + 1 }, (_, index) => thisWeek + index * WEEK_MS)
  if ((await missing(writes, weeks)).length === 0) return
  // In a transaction, as another node may be making them.
  const making = writes.transaction().execute(async (transaction) => {
    await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(transaction)
    for (const fromMs of await missing(transaction, weeks)) await make(transaction, fromMs)
  })
  await making.catch((error: unknown) => {
    if (!isGivenUp(error)) throw error
  })
}

async function missing(db: Kysely<Schema>, weeks: readonly number[]): Promise<number[]> {
  const present = new Set(await partitionNames(db))
  return weeks.filter((fromMs) => !present.has(nameOfWeek(fromMs)))
}

/** Names of later weeks are greater. */
export const nameOfWeek = (fromMs: number): string =>
  `identifications_${new Date(fromMs).toISOString().slice(0, 10).replaceAll('-', '')}`

export async function partitionNames(db: Kysely<Schema>): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select child.relname as name from pg_inherits join pg_class child on child.oid = inhrelid
    where inhparent = 'identifications'::regclass`.execute(db)
  return rows.map(({ name }) => name)
}

async function make(db: Kysely<Schema>, fromMs: number): Promise<void> {
  const { rows } = await sql`
    select 1 from identifications_other
    where created_at >= ${fromMs} and created_at < ${fromMs + WEEK_MS} limit 1`.execute(db)
  if (rows.length > 0) return
  await sql`
    create table ${sql.id(nameOfWeek(fromMs))} partition of identifications
    for values from (${sql.lit(fromMs)}) to (${sql.lit(fromMs + WEEK_MS)})`.execute(db)
}

/** A week that was emptied row by row is read to its end to see that it is. */
const EMPTY_TIMEOUT = '1s'

/**
 * Drops the weeks that ended before `beforeMs` and have no rows left.
 * @returns how many; 0 also when the table was in use all the time
 */
export async function dropOldPartitions(db: Kysely<Schema>, beforeMs: number): Promise<number> {
  const lastName = nameOfWeek(beforeMs - WEEK_MS)
  const old: string[] = []
  // The name of the default partition is greater than any week's.
  for (const name of await partitionNames(db))
    if (name <= lastName && (await isEmpty(db, name))) old.push(name)
  if (old.length === 0) return 0
  try {
    return await db.transaction().execute((transaction) => dropEmpty(transaction, old))
  } catch (error) {
    if (isGivenUp(error)) return 0
    throw error
  }
}

/** Asks again once nobody can write: a late row may have come in meanwhile. */
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
