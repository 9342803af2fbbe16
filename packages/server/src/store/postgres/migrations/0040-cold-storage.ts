import { type Kysely, sql } from 'kysely'

/** Objects in a cold storage, and how far the bodies of a domain are moved there. */
export async function createColdStorage(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table cold_objects (
      domain_id bigint not null,
      object text collate "C" not null,
      state text collate "C" not null,
      bytes bigint not null,
      index_at bigint not null,
      bodies bigint not null,
      bodies_left bigint not null,
      released bigint not null,
      created_at bigint not null,
      checked_at bigint not null,
      primary key (domain_id, object)
    )`.execute(db)
  await sql`create index cold_objects_by_check on cold_objects (checked_at)`.execute(db)
  await sql`
    create table cold_progress (
      domain_id bigint primary key,
      created_at bigint not null,
      identification_id bigint not null
    )`.execute(db)
}
