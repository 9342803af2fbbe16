import { type Kysely, sql } from 'kysely'

/** Filters of a page of the dashboard under a name, of one user or for all. */
export async function createSavedViews(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table saved_views (
      domain_id bigint not null,
      id text collate "C" not null,
      page text collate "C" not null,
      name text collate "C" not null,
      search text collate "C" not null,
      owner text collate "C",
      shared bigint not null,
      changed_at bigint not null,
      primary key (domain_id, id)
    )`.execute(db)
  await sql`create index saved_views_owner on saved_views (owner)`.execute(db)
}
