import { type Kysely, sql } from 'kysely'

/** How far the change feed is, and what changed in rows that it has passed. */
export async function createChangeFeed(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table change_feed (
      id integer primary key,
      identification_id integer not null,
      decision_id integer not null,
      sequence integer not null,
      written_at integer
    )`.execute(db)
  await sql`
    create table late_changes (
      domain_id integer not null,
      kind text not null,
      row_id integer not null,
      ver integer not null,
      key text not null,
      primary key (domain_id, kind, row_id, ver, key)
    ) without rowid`.execute(db)
}
