import { type Kysely, sql } from 'kysely'

/** Filters of a page of the dashboard under a name, of one user or for all. */
export async function createSavedViews(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table saved_views (
      domain_id integer not null,
      id text not null,
      page text not null,
      name text not null,
      search text not null,
      owner text,
      shared integer not null,
      changed_at integer not null,
      primary key (domain_id, id)
    ) without rowid`.execute(db)
  await sql`create index saved_views_owner on saved_views (owner)`.execute(db)
}
