import { type Kysely, sql } from 'kysely'

/** Named API keys of a domain. Releases without them know the one key in `domains` alone. */
export async function createApiKeys(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table api_keys (
      domain_id bigint not null,
      id text collate "C" not null,
      name text collate "C" not null,
      scopes text collate "C" not null,
      key_hash bytea not null,
      key_tail text collate "C" not null,
      created_by text collate "C" not null,
      created_at bigint not null,
      expires_at bigint,
      used_at bigint,
      rotated_at bigint,
      previous_hash bytea,
      previous_until bigint,
      primary key (domain_id, id)
    )`.execute(db)
  await sql`create unique index api_keys_name on api_keys (domain_id, name)`.execute(db)
}
