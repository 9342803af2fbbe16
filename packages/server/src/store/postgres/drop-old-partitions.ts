import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema.ts'
import { nameOfWeek, partitionNames, WEEK_MS } from './partitions.ts'

/** Every question waits behind a lock that waits, so that it is rather tried again the next time. */
const LOCK_TIMEOUT = '500ms'
const LOCK_NOT_AVAILABLE = '55P03'

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
    if (error instanceof Error && 'code' in error && error.code === LOCK_NOT_AVAILABLE) return 0
    throw error
  }
}

/** Asks again once nobody can write: a late row may have come in meanwhile. */
async function dropEmpty(transaction: Kysely<Schema>, names: readonly string[]): Promise<number> {
  await sql`set local lock_timeout = ${sql.lit(LOCK_TIMEOUT)}`.execute(transaction)
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
