import { type Kysely, sql } from 'kysely'

/** Named API keys of a domain. Releases without them know the one key in `domains` alone. */
export async function createApiKeys(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table api_keys (
      domain_id integer not null,
      id text not null,
      name text not null,
      scopes text not null,
      key_hash blob not null,
      key_tail text not null,
      created_by text not null,
      created_at integer not null,
      expires_at integer,
      used_at integer,
      rotated_at integer,
      previous_hash blob,
      previous_until integer,
      primary key (domain_id, id)
    ) without rowid`.execute(db)
  await sql`create unique index api_keys_name on api_keys (domain_id, name)`.execute(db)
}
