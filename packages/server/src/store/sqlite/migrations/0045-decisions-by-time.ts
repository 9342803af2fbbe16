import type { Kysely } from 'kysely'

/** Decisions are counted by action, and listed, between two times. */
export async function indexDecisionsByTime(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('decisions_kind_time')
    .on('decisions')
    .columns(['domain_id', 'purpose', 'action', 'decided_at', 'id'])
    .execute()
  await db.schema.dropIndex('decisions_kind').execute()
}
