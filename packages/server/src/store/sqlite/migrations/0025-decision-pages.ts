import type { Kysely } from 'kysely'

/** Decisions of a purpose and an action are read newest first. */
export async function addDecisionPages(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('decisions_kind')
    .on('decisions')
    .columns(['domain_id', 'purpose', 'action', 'id'])
    .execute()
}
