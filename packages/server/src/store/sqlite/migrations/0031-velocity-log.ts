import { type Kysely, sql } from 'kysely'

/**
 * Visits whose counts are not written yet. Each state says up to which row of the log it holds the visits. The one row of
 * `velocity_writer` names the thread whose memory holds the states that are not written.
 */
export async function createVelocityLog(db: Kysely<unknown>): Promise<void> {
  await sql`alter table velocity add column logged integer not null default 0`.execute(db)
  await sql`
    create table velocity_log (
      id integer primary key,
      domain_id integer not null,
      visits blob not null
    )`.execute(db)
  await sql`
    create table velocity_writer (
      id integer primary key check (id = 1),
      writer integer not null,
      last_logged integer not null
    )`.execute(db)
  await sql`insert into velocity_writer (id, writer, last_logged) values (1, 0, 0)`.execute(db)
}
