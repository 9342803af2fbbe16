import { type Kysely, SqliteAdapter, sql } from 'kysely'
import { newestNumber, notPast } from '../identifications/id-range.ts'
import type { Schema } from '../schema.ts'

const ONLY_ROW = 1

/** The last identification in which patterns were searched; at first the one before the longest time window. */
export async function patternCursor(db: Kysely<Schema>, sinceMs: number): Promise<number> {
  const stored = await db
    .selectFrom('pattern_cursor')
    .select('identification_id')
    .where('id', '=', ONLY_ROW)
    .executeTakeFirst()
  if (stored) return notPast(db, 'identifications', stored.identification_id)
  const domains = await db.selectFrom('domains').select('id').execute()
  // Read from the index alone: one second for ten million rows, and only once.
  let oldest = Number.POSITIVE_INFINITY
  for (const { id } of domains) {
    const first = await db
      .selectFrom('identifications')
      .select(({ fn }) => fn.min<number | null>('id').as('id'))
      .where('domain_id', '=', id)
      .where('created_at', '>=', sinceMs)
      .executeTakeFirst()
    oldest = Math.min(oldest, first?.id ?? oldest)
  }
  return Number.isFinite(oldest) ? oldest - 1 : newestNumber(db, 'identifications')
}

/** Moves to the last identification of a batch, or less far if the embedded database has removed it meanwhile. */
export const movePatternCursor = (writes: Kysely<Schema>, through: number): Promise<void> =>
  writes.transaction().execute(async (transaction) => {
    const identification_id = await notPast(transaction, 'identifications', through)
    await transaction
      .insertInto('pattern_cursor')
      .values({ id: ONLY_ROW, identification_id })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ identification_id }))
      .execute()
  })

/**
 * Moves the cursor back after a removal, in its transaction: the embedded database gives the numbers of its newest rows to
 * the next ones, in which no pattern has been searched.
 */
export async function stepPatternCursorBack(transaction: Kysely<Schema>): Promise<void> {
  if (!(transaction.getExecutor().adapter instanceof SqliteAdapter)) return
  await sql`
    update pattern_cursor set identification_id = greatest_id
    from (select coalesce(max(id), 0) as greatest_id from identifications) as kept
    where identification_id > greatest_id`.execute(transaction)
}
