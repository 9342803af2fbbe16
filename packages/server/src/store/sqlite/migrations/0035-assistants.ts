import { type Kysely, sql } from 'kysely'

/** Assistants that registered, what users allowed them, and what they propose. */
export async function createAssistants(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table assistant_clients (
      id text primary key,
      name text not null,
      redirect_uris text not null,
      created_at integer not null,
      expires_at integer not null
    ) without rowid`.execute(db)
  await sql`create index assistant_clients_expiry on assistant_clients (expires_at)`.execute(db)
  await sql`
    create table assistant_grants (
      domain_id integer not null,
      id text not null,
      user_id integer not null,
      client_id text not null,
      client_name text not null,
      scopes text not null,
      created_at integer not null,
      used_at integer,
      expires_at integer not null,
      code_hash blob not null unique,
      code_expires_at integer not null,
      code_challenge text not null,
      redirect_uri text not null,
      access_hash blob unique,
      access_expires_at integer not null,
      family_hash blob unique,
      refresh_hash blob,
      primary key (domain_id, id)
    ) without rowid`.execute(db)
  await sql`create index assistant_grants_user on assistant_grants (user_id)`.execute(db)
  await sql`create index assistant_grants_expiry on assistant_grants (expires_at)`.execute(db)
  await sql`
    create table assistant_proposals (
      domain_id integer not null,
      id text not null,
      user_id integer not null,
      client_name text not null,
      operation text not null,
      request text not null,
      why text not null,
      created_at integer not null,
      expires_at integer not null,
      primary key (domain_id, id)
    ) without rowid`.execute(db)
  await sql`create index assistant_proposals_user on assistant_proposals (user_id)`.execute(db)
  await sql`create index assistant_proposals_expiry on assistant_proposals (expires_at)`.execute(db)
}
