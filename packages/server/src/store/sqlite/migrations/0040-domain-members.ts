import { type Kysely, sql } from 'kysely'

/** Roles of users in single domains. Releases without them know the roles in the whole installation alone. */
export async function createDomainMembers(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table domain_members (
      domain_id integer not null,
      user_id integer not null,
      role text not null,
      given_by text not null,
      given_at integer not null,
      primary key (domain_id, user_id)
    ) without rowid`.execute(db)
  await sql`create index domain_members_user on domain_members (user_id)`.execute(db)
}
