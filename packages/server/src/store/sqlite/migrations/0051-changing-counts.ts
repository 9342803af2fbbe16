import { type Kysely, sql } from 'kysely'

/** When a re-scoring last changed counted rows; NULL once they are counted again: see `counts.ts`. */
export async function addChangingAt(db: Kysely<unknown>): Promise<void> {
  await sql`alter table rollup_progress add column changing_at integer`.execute(db)
}
