import { type Kysely, sql } from 'kysely'

/** A removal deletes its request IDs itself: tables that are split over machines have no triggers. */
export async function dropTriggers(db: Kysely<unknown>): Promise<void> {
  await sql`drop trigger identifications_removed on identifications`.execute(db)
  await sql`drop function forget_request_ids()`.execute(db)
}
