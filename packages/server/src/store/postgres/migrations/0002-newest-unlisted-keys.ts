import { type Kysely, sql } from 'kysely'

/** The newest devices of a key are read without those that came before: of a model that all buy, thousands may wait. */
export async function indexUnlistedKeysById(db: Kysely<unknown>): Promise<void> {
  await sql`create index unlisted_keys_newest on unlisted_keys (domain_id, key, id)`.execute(db)
  await sql`drop index unlisted_keys_key`.execute(db)
}
