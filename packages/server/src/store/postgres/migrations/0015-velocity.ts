import { type Kysely, sql } from 'kysely'

/**
 * The counts of each subject, and with each identification the counts right after it. There is no index by time: it
 * would change with every visit, for a job that may read the table. Without one, and with room in each page, an update
 * touches no index either.
 */
export async function createVelocity(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table velocity (
      domain_id bigint not null,
      subject bigint not null,
      hash bytea not null,
      state bytea not null,
      updated_at bigint not null,
      primary key (domain_id, subject, hash)
    ) with (fillfactor = 70)`.execute(db)
  await sql`alter table identifications add column velocity bytea`.execute(db)
}
