import { type Kysely, sql } from 'kysely'

/** Counts of identifications by hour and day, and how far they have been counted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('rollups')
    .addColumn('domain_id', 'integer', (column) => column.notNull())
    .addColumn('span_hours', 'integer', (column) => column.notNull())
    .addColumn('dimension', 'text', (column) => column.notNull())
    .addColumn('start', 'integer', (column) => column.notNull())
    .addColumn('value', 'text', (column) => column.notNull())
    .addColumn('identifications', 'integer', (column) => column.notNull())
    .addColumn('scored', 'integer', (column) => column.notNull())
    .addColumn('score_sum', 'integer', (column) => column.notNull())
    .addColumn('points_sum', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('rollups_key', ['domain_id', 'span_hours', 'dimension', 'start', 'value'])
    .modifyEnd(sql`without rowid`)
    .execute()

  await db.schema
    .createTable('rollup_progress')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('last_id', 'integer', (column) => column.notNull())
    .addColumn('removals', 'integer', (column) => column.notNull())
    .execute()
  await sql`insert into rollup_progress (id, last_id, removals) values (1, 0, 0)`.execute(db)
}
