import { type Kysely, sql } from 'kysely'

/** The secret before a rotation stays valid for a while, and an endpoint whose sends fail for days is disabled. */
export async function addEndpointFailures(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table endpoints
      add column previous_secret bytea,
      add column previous_until bigint,
      add column failing_since bigint,
      add column failed_sends bigint not null default 0,
      add column disabled_at bigint`.execute(db)
}
