import { type Kysely, sql } from 'kysely'

/** Decisions of a purpose and an action are read newest first, and later evidence shows what they would be now. */
export async function addDecisionPages(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex('decisions_kind')
    .on('decisions')
    .columns(['domain_id', 'purpose', 'action', 'id'])
    .execute()
  await sql`alter table decisions add column stale integer`.execute(db)
  await sql`alter table decisions add column later text`.execute(db)
  await sql`create index decisions_stale on decisions (id) where stale is not null`.execute(db)
  await sql`alter table endpoints add column decision_events integer not null default 0`.execute(db)
}
