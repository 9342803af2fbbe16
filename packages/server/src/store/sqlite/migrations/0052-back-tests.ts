import { type Kysely, sql } from 'kysely'

/** The latest back-test of each kind of a domain, so that every node answers the same about it. */
export async function createBackTestTable(db: Kysely<unknown>): Promise<void> {
  await sql`create table back_tests (
    domain_id integer not null, kind text not null, run text not null, state text not null,
    started_at integer not null, ended_at integer, seen_at integer not null, body text not null,
    primary key (domain_id, kind)) without rowid`.execute(db)
}
