import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema.ts'
import { isGivenUp, LOCK_TIMEOUT, nameOfWeek, partitionNames, WEEK_MS } from './partitions.ts'

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
