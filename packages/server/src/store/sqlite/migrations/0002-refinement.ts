import { type Kysely, sql } from 'kysely'

/** What a refinement needs: the versions it replaces, and verdicts that later visits of a device meet again. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('versions')
    .addColumn('domain_id', 'integer', (column) => column.notNull())
    .addColumn('identification_id', 'integer', (column) => column.notNull())
    .addColumn('ver', 'integer', (column) => column.notNull())
    .addColumn('score', 'integer', (column) => column.notNull())
    .addColumn('flags', 'integer', (column) => column.notNull())
    .addColumn('connection_type', 'text', (column) => column.notNull())
    .addColumn('verdict', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('versions_key', ['domain_id', 'identification_id', 'ver'])
    .modifyEnd(sql`without rowid`)
    .execute()

  await db.schema
    .createTable('sticky_verdicts')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('domain_id', 'integer', (column) => column.notNull())
    .addColumn('device_id', 'blob', (column) => column.notNull())
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('description', 'text', (column) => column.notNull())
    .addColumn('request_id', 'blob', (column) => column.notNull())
    .addColumn('created_at', 'integer', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('sticky_verdicts_device')
    .on('sticky_verdicts')
    .columns(['domain_id', 'device_id', 'address'])
    .execute()
}
