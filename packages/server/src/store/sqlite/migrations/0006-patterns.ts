import { type Kysely, sql } from 'kysely'

/** Findings of the abuse patterns, the rows that made them, and who wants to hear of them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('pattern_findings')
    // Never used again: receivers and links name it.
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('domain_id', 'integer', (column) => column.notNull())
    .addColumn('pattern', 'text', (column) => column.notNull())
    .addColumn('entity_type', 'text', (column) => column.notNull())
    .addColumn('entity_value', 'text', (column) => column.notNull())
    .addColumn('grade', 'text', (column) => column.notNull())
    .addColumn('count', 'integer', (column) => column.notNull())
    .addColumn('suspicious_from', 'integer', (column) => column.notNull())
    .addColumn('dangerous_from', 'integer', (column) => column.notNull())
    .addColumn('average_score', 'real', (column) => column.notNull())
    .addColumn('first_at', 'integer', (column) => column.notNull())
    .addColumn('last_at', 'integer', (column) => column.notNull())
    .addColumn('judged_at', 'integer', (column) => column.notNull())
    .addColumn('recheck_at', 'integer')
    .addColumn('resolved_at', 'integer')
    .execute()
  await db.schema
    .createIndex('pattern_findings_entity')
    .unique()
    .on('pattern_findings')
    .columns(['domain_id', 'entity_type', 'entity_value', 'pattern'])
    .execute()
  await db.schema
    .createIndex('pattern_findings_recheck')
    .on('pattern_findings')
    .column('recheck_at')
    .where(sql<boolean>`recheck_at is not null`)
    .execute()
  await db.schema
    .createIndex('pattern_findings_time')
    .on('pattern_findings')
    .columns(['domain_id', 'last_at', 'id'])
    .execute()

  await db.schema
    .createTable('pattern_rows')
    .addColumn('domain_id', 'integer', (column) => column.notNull())
    .addColumn('finding_id', 'integer', (column) => column.notNull())
    .addColumn('identification_id', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('pattern_rows_key', ['domain_id', 'finding_id', 'identification_id'])
    .execute()
  await db.schema
    .createIndex('pattern_rows_identification')
    .on('pattern_rows')
    .columns(['domain_id', 'identification_id'])
    .execute()

  await db.schema
    .createTable('pattern_cursor')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('identification_id', 'integer', (column) => column.notNull())
    .execute()

  await db.schema
    .alterTable('endpoints')
    .addColumn('pattern_events', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()

  // Only rows whose network check saw another address: for the rest the index of the public one will do.
  await db.schema
    .createIndex('identifications_leak')
    .on('identifications')
    .columns(['domain_id', 'webrtc_leak_ip', 'created_at'])
    .where(sql<boolean>`webrtc_leak_ip is not null`)
    .execute()
}
