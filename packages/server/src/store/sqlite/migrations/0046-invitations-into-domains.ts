import { type Kysely, sql } from 'kysely'

/** The domain that a new person is invited into, and the role there; NULL for an invitation to the installation alone. */
export async function addDomainsOfInvitations(db: Kysely<unknown>): Promise<void> {
  await sql`alter table invitations add column domain_id integer`.execute(db)
  await sql`alter table invitations add column domain_role text`.execute(db)
}
