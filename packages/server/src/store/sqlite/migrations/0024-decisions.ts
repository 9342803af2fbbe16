import type { Kysely } from 'kysely'

/** What was answered to customers who asked what to do about a visit. A visit answers each purpose once. */
export async function createDecisions(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('decisions')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('domain_id', 'integer', (column) => column.notNull())
    .addColumn('request_id', 'blob', (column) => column.notNull())
    .addColumn('purpose', 'text', (column) => column.notNull())
    .addColumn('idempotency_key', 'text')
    .addColumn('asked', 'blob', (column) => column.notNull())
    .addColumn('account', 'text')
    .addColumn('client_address', 'text')
    .addColumn('question', 'text', (column) => column.notNull())
    .addColumn('answer', 'text', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('ver', 'integer', (column) => column.notNull())
    .addColumn('decided_at', 'integer', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('decisions_id').on('decisions').columns(['domain_id', 'id']).execute()
  await db.schema
    .createIndex('decisions_request')
    .unique()
    .on('decisions')
    .columns(['domain_id', 'request_id', 'purpose'])
    .execute()
  await db.schema
    .createIndex('decisions_key')
    .unique()
    .on('decisions')
    .columns(['domain_id', 'idempotency_key'])
    .where('idempotency_key', 'is not', null)
    .execute()
  await db.schema
    .createIndex('decisions_account')
    .on('decisions')
    .columns(['domain_id', 'account'])
    .where('account', 'is not', null)
    .execute()
  await db.schema
    .createIndex('decisions_address')
    .on('decisions')
    .columns(['domain_id', 'client_address'])
    .where('client_address', 'is not', null)
    .execute()
}
