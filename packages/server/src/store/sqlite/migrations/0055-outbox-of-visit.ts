import { type Kysely, sql } from 'kysely'

/** So that the events of a visit, and the backlog of a domain, are found in a long outbox. */
export async function indexOutboxOfVisit(db: Kysely<unknown>): Promise<void> {
  await sql`create index outbox_request on outbox (domain_id, request_id, due_at)`.execute(db)
}
