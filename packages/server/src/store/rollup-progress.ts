import { type Kysely, sql } from 'kysely'
import type { RollupProgressTable } from './rollup-tables.ts'
import type { Schema } from './schema.ts'

export type RollupProgress = Pick<RollupProgressTable, 'last_id' | 'removals'>

/** How far identifications are counted. */
export const rollupProgress = (db: Kysely<Schema>): Promise<RollupProgress> =>
  db.selectFrom('rollup_progress').select(['last_id', 'removals']).executeTakeFirstOrThrow()

/** Identifications with a greater number, which are yet to be counted. */
export async function uncounted(db: Kysely<Schema>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select coalesce((select max(id) from identifications), 0) - last_id as count from rollup_progress`.execute(
    db,
  )
  return Math.max(0, rows[0]?.count ?? 0)
}

/**
 * Says that everything up to an identification is counted.
 * @returns false when somebody else has counted, or removed what was to be counted, since `seen` was read: what
 *   was made of it must not be added
 */
export async function advance(
  transaction: Kysely<Schema>,
  seen: RollupProgress,
  lastId: number,
): Promise<boolean> {
  const moved = await transaction
    .updateTable('rollup_progress')
    .set({ last_id: lastId })
    .where('last_id', '=', seen.last_id)
    .where('removals', '=', seen.removals)
    .executeTakeFirst()
  return moved.numUpdatedRows === 1n
}

export const noteRemoval = (transaction: Kysely<Schema>): Promise<unknown> =>
  transaction
    .updateTable('rollup_progress')
    .set(({ eb }) => ({ removals: eb('removals', '+', 1) }))
    .execute()

/** Has everything counted again: rows that were counted have changed. */
export const countAgain = (writes: Kysely<Schema>): Promise<void> =>
  writes.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('rollups').execute()
    await transaction.updateTable('rollup_progress').set({ last_id: 0 }).execute()
    await noteRemoval(transaction)
  })
