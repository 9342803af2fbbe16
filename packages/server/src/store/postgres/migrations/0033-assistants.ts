import { type Kysely, sql } from 'kysely'

/** Assistants that registered, what users allowed them, and what they propose. */
export async function createAssistants(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table assistant_clients (
      id text collate "C" primary key,
      name text collate "C" not null,
      redirect_uris text collate "C" not null,
      created_at bigint not null,
      expires_at bigint not null
    )`.execute(db)
  await sql`create index assistant_clients_expiry on assistant_clients (expires_at)`.execute(db)
  await sql`
    create table assistant_grants (
      domain_id bigint not null,
      id text collate "C" not null,
      user_id bigint not null,
      client_id text collate "C" not null,
      client_name text collate "C" not null,
      scopes text collate "C" not null,
      created_at bigint not null,
      used_at bigint,
      expires_at bigint not null,
      code_hash bytea not null unique,
      code_expires_at bigint not null,
      code_challenge text collate "C" not null,
      redirect_uri text collate "C" not null,
      access_hash bytea unique,
      access_expires_at bigint not null,
      family_hash bytea unique,
      refresh_hash bytea,
      primary key (domain_id, id)
    )`.execute(db)
  await sql`create index assistant_grants_user on assistant_grants (user_id)`.execute(db)
  await sql`create index assistant_grants_expiry on assistant_grants (expires_at)`.execute(db)
  await sql`
    create table assistant_proposals (
      domain_id bigint not null,
      id text collate "C" not null,
      user_id bigint not null,
      client_name text collate "C" not null,
      operation text collate "C" not null,
      request text collate "C" not null,
      why text collate "C" not null,
      created_at bigint not null,
      expires_at bigint not null,
      primary key (domain_id, id)
    )`.execute(db)
  await sql`create index assistant_proposals_user on assistant_proposals (user_id)`.execute(db)
  await sql`create index assistant_proposals_expiry on assistant_proposals (expires_at)`.execute(db)
}
