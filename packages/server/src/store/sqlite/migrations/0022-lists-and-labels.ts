import type { Kysely } from 'kysely'

/** Allow, deny and watch lists, and what customers found out about their visitors. */
export async function createListsAndLabels(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('list_entries')
    // Never used again: a server reads the entries with higher numbers than it knows.
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('domain_id', 'integer', (column) => column.notNull())
    .addColumn('list', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('value', 'text', (column) => column.notNull())
    .addColumn('reason', 'text', (column) => column.notNull())
    .addColumn('author', 'text', (column) => column.notNull())
    .addColumn('expires_at', 'integer')
    .addColumn('created_at', 'integer', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('list_entries_value')
    .unique()
    .on('list_entries')
    .columns(['domain_id', 'kind', 'value', 'list'])
    .execute()
  await db.schema.createIndex('list_entries_id').on('list_entries').columns(['domain_id', 'id']).execute()

  await db.schema
    .createTable('list_versions')
    .addColumn('domain_id', 'integer', (column) => column.primaryKey())
    .addColumn('version', 'integer', (column) => column.notNull())
    .execute()

  await db.schema
    .createTable('labels')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('domain_id', 'integer', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('subject_type', 'text', (column) => column.notNull())
    .addColumn('subject_value', 'text', (column) => column.notNull())
    .addColumn('source', 'text', (column) => column.notNull())
    .addColumn('at', 'integer', (column) => column.notNull())
    .addColumn('note', 'text', (column) => column.notNull())
    .addColumn('author', 'text', (column) => column.notNull())
    .addColumn('created_at', 'integer', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('labels_subject')
    .unique()
    .on('labels')
    .columns(['domain_id', 'subject_type', 'subject_value', 'kind', 'source'])
    .execute()
  await db.schema.createIndex('labels_id').on('labels').columns(['domain_id', 'id']).execute()
}
