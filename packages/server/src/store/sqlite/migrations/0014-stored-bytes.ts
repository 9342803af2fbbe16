import { type Kysely, sql } from 'kysely'
import { UNMEASURED_BYTES } from '../../stored-bytes.ts'

/** How much each domain stores, what it may store, and the origins that its owner allows. */
export async function addStoredBytes(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('identifications').addColumn('bytes', 'integer').execute()
  await db.schema
    .alterTable('domains')
    .addColumn('stored_bytes', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await db.schema.alterTable('domains').addColumn('disk_budget', 'integer').execute()
  await db.schema.alterTable('domains').addColumn('origins', 'text').execute()
  await sql`update domains set stored_bytes = ${UNMEASURED_BYTES} *
    (select count(*) from identifications where identifications.domain_id = domains.id)`.execute(db)
}
