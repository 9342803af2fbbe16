import { type Kysely, sql } from 'kysely'

/** What is remembered of devices: their profiles, the keys that find them, and devices that proved to be one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('devices')
    // Never used again: keys of an erased device must not find another one.
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('domain_id', 'integer', (column) => column.notNull())
    .addColumn('device_id', 'blob', (column) => column.notNull())
    .addColumn('last_at', 'integer', (column) => column.notNull())
    .addColumn('profile', 'text', (column) => column.notNull())
    .addColumn('keys', 'blob', (column) => column.notNull())
    .execute()
  // One winner where two processes meet a new device at once.
  await db.schema
    .createIndex('devices_device')
    .unique()
    .on('devices')
    .columns(['domain_id', 'device_id'])
    .execute()

  await db.schema
    .createTable('device_keys')
    .addColumn('domain_id', 'integer', (column) => column.notNull())
    .addColumn('key', 'integer', (column) => column.notNull())
    .addColumn('ordinal', 'integer', (column) => column.notNull())
    .addColumn('device', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('device_keys_key', ['domain_id', 'key', 'ordinal'])
    .modifyEnd(sql`without rowid`)
    .execute()

  await db.schema
    .createTable('key_spreads')
    .addColumn('domain_id', 'integer', (column) => column.notNull())
    .addColumn('family', 'integer', (column) => column.notNull())
    .addColumn('kind', 'integer', (column) => column.notNull())
    .addColumn('once', 'integer', (column) => column.notNull())
    .addColumn('twice', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('key_spreads_key', ['domain_id', 'family', 'kind'])
    .modifyEnd(sql`without rowid`)
    .execute()

  await db.schema
    .createTable('device_aliases')
    .addColumn('domain_id', 'integer', (column) => column.notNull())
    .addColumn('device_id', 'blob', (column) => column.notNull())
    .addColumn('merged_into', 'blob', (column) => column.notNull())
    .addColumn('created_at', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('device_aliases_key', ['domain_id', 'device_id'])
    .modifyEnd(sql`without rowid`)
    .execute()
}
