import type { Kysely } from 'kysely'

/**
 * Keys of devices that are not in `device_keys` yet. A device's keys lie all over that table: written with
 * each identification they would cost more than all the rest of it. Here they are one row.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('unlisted_keys')
    // Never used again: what is listed up to is said by this number.
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('domain_id', 'integer', (column) => column.notNull())
    .addColumn('family', 'integer', (column) => column.notNull())
    .addColumn('device', 'integer', (column) => column.notNull())
    .addColumn('keys', 'blob', (column) => column.notNull())
    .execute()

  await db.schema
    .createTable('listing_run')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('through', 'integer', (column) => column.notNull())
    .addColumn('domain_id', 'integer', (column) => column.notNull())
    .addColumn('key', 'integer', (column) => column.notNull())
    .execute()
}
