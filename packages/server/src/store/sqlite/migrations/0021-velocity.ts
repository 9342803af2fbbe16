import { type Kysely, sql } from 'kysely'

/**
 * The counts of each subject, and with each identification the counts right after it. There is no index by time: it
 * would change with every visit, for a job that may read the table.
 */
export async function createVelocity(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table velocity (
      domain_id integer not null,
      subject integer not null,
      hash blob not null,
      state blob not null,
      updated_at integer not null,
      primary key (domain_id, subject, hash)
    ) without rowid`.execute(db)
  await db.schema.alterTable('identifications').addColumn('velocity', 'blob').execute()
}
