import { type Kysely, sql } from 'kysely'

/** So that a claim reads the due entries of the endpoints that it asks for, and none of the others' backlogs. */
export async function indexOutboxOfEndpoint(db: Kysely<unknown>): Promise<void> {
  await sql`drop index outbox_due`.execute(db)
  await sql`create index outbox_due on outbox (endpoint_id, due_at)`.execute(db)
}
