import { type Kysely, sql } from 'kysely'

/** How far the change feed is, and what changed in rows that it has passed. */
export async function createChangeFeed(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table change_feed (
      id bigint primary key,
      identification_id bigint not null,
      decision_id bigint not null,
      sequence bigint not null,
      written_at bigint
    )`.execute(db)
  await sql`
    create table late_changes (
      domain_id bigint not null,
      kind text collate "C" not null,
      row_id bigint not null,
      ver bigint not null,
      key text collate "C" not null,
      primary key (domain_id, kind, row_id, ver, key)
    )`.execute(db)
}
