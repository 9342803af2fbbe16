import { type Kysely, sql } from 'kysely'

/** Domains with removed rows of which the engine still has something: see `scrub.ts`. */
export async function createUnscrubbedDomains(db: Kysely<unknown>): Promise<void> {
  await sql`create table unscrubbed_domains (
    domain_id integer primary key, removals bigint not null)`.execute(db)
}
