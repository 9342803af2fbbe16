import type { Kysely } from 'kysely'

/** What commands need to know of the server, which may have other environment variables. */
export async function createServerSettings(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('server_settings')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('body', 'text', (column) => column.notNull())
    .execute()
}
