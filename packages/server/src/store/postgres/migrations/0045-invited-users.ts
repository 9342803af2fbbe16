import { type Kysely, sql } from 'kysely'

/** The domain whose owner invited the user; NULL where an owner of the installation or the provider knows the person. */
export async function addInvitedInto(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users add column invited_into bigint`.execute(db)
}
