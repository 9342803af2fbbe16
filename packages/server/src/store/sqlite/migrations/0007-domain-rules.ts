import { type Kysely, sql } from 'kysely'

/** Weights of a domain's own, every version that was ever saved. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('domain_rules')
    .addColumn('domain_id', 'integer', (column) => column.notNull().references('domains.id'))
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'integer', (column) => column.notNull())
    .addColumn('actor', 'text', (column) => column.notNull())
    .addColumn('note', 'text', (column) => column.notNull())
    .addColumn('weights', 'text', (column) => column.notNull())
    .addColumn('active', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('domain_rules_key', ['domain_id', 'version'])
    .execute()
  await db.schema
    .createIndex('domain_rules_one_active')
    .unique()
    .on('domain_rules')
    .column('domain_id')
    .where(sql.ref('active'), '=', 1)
    .execute()
}
