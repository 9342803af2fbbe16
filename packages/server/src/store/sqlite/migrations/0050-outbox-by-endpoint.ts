import { type Kysely, sql } from 'kysely'

/** So that the due entries of an endpoint that cannot take more are passed over without reading them. */
export async function indexOutboxByEndpoint(db: Kysely<unknown>): Promise<void> {
  await sql`drop index outbox_due`.execute(db)
  await sql`create index outbox_due on outbox (due_at, endpoint_id)`.execute(db)
}
