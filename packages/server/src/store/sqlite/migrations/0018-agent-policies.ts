import { type Kysely, sql } from 'kysely'

/** What a domain's rules say about declared agents, every version that was ever saved. */
export async function createAgentPolicies(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('agent_policies')
    .addColumn('domain_id', 'integer', (column) => column.notNull().references('domains.id'))
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'integer', (column) => column.notNull())
    .addColumn('actor', 'text', (column) => column.notNull())
    .addColumn('note', 'text', (column) => column.notNull())
    .addColumn('rules', 'text', (column) => column.notNull())
    .addColumn('active', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('agent_policies_key', ['domain_id', 'version'])
    .execute()
  await db.schema
    .createIndex('agent_policies_one_active')
    .unique()
    .on('agent_policies')
    .column('domain_id')
    .where(sql.ref('active'), '=', 1)
    .execute()
}
