import { type Kysely, sql } from 'kysely'

/** The row that binds a database to its secrets, and the addresses that rows have beside their own. */
export async function addInstallation(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('installation')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('secrets_hash', 'blob', (column) => column.notNull())
    .addColumn('free_pages_overwritten', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  // The network check mostly sees the row's own address, which has an index already.
  for (const column of ['web_rtc_ip', 'scanner_web_rtc_ip'] as const)
    await sql`
      create index ${sql.id(`identifications_${column}`)} on identifications (domain_id, ${sql.id(column)})
      where ${sql.id(column)} is not null and ${sql.id(column)} is not ip`.execute(db)
}
