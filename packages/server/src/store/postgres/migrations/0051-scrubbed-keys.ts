import { type Kysely, sql } from 'kysely'

/** Names the last removal of a domain instead of counting them, and the one whose keys are gone: see `scrub.ts`. */
export async function addScrubbedKeys(db: Kysely<unknown>): Promise<void> {
  await sql`alter table unscrubbed_domains rename column removals to removal`.execute(db)
  await sql`alter table unscrubbed_domains add column keys_removal bigint`.execute(db)
}
