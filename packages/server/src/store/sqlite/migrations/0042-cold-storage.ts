import { type Kysely, sql } from 'kysely'

/** Objects in a cold storage, and how far the bodies of a domain are moved there. */
export async function createColdStorage(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table cold_objects (
      domain_id integer not null,
      object text not null,
      state text not null,
      bytes integer not null,
      index_at integer not null,
      bodies integer not null,
      bodies_left integer not null,
      released integer not null,
      created_at integer not null,
      checked_at integer not null,
      primary key (domain_id, object)
    ) without rowid`.execute(db)
  await sql`create index cold_objects_by_check on cold_objects (checked_at)`.execute(db)
  await sql`
    create table cold_progress (
      domain_id integer primary key,
      created_at integer not null,
      identification_id integer not null
    )`.execute(db)
}
