import { type Kysely, sql } from 'kysely'

/** The key by which a customer's backend signs account identifiers, and whether unsigned ones are dropped. */
export async function addUserKey(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table domains
      add column sealed_user_key bytea,
      add column signed_users_only bigint not null default 0`.execute(db)
}
