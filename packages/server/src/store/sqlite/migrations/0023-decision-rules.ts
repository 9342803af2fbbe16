import { type Kysely, sql } from 'kysely'

/** The rules that decide what happens to a visit, every version that was ever saved, and how often they met. */
export async function createDecisionRules(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('decision_rules')
    .addColumn('domain_id', 'integer', (column) => column.notNull().references('domains.id'))
    .addColumn('rule_id', 'integer', (column) => column.notNull())
    .addColumn('version', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'integer', (column) => column.notNull())
    .addColumn('actor', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('condition', 'text', (column) => column.notNull())
    .addColumn('effect', 'text', (column) => column.notNull())
    .addColumn('priority', 'integer', (column) => column.notNull())
    .addColumn('purposes', 'text')
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('latest', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('decision_rules_key', ['domain_id', 'rule_id', 'version'])
    .execute()
  await db.schema
    .createIndex('decision_rules_one_latest')
    .unique()
    .on('decision_rules')
    .columns(['domain_id', 'rule_id'])
    .where(sql.ref('latest'), '=', 1)
    .execute()
  await db.schema
    .createTable('decision_thresholds')
    .addColumn('domain_id', 'integer', (column) => column.primaryKey().references('domains.id'))
    .addColumn('review', 'integer')
    .addColumn('challenge', 'integer')
    .addColumn('deny', 'integer')
    .execute()
  await db.schema
    .createTable('decision_rule_hits')
    .addColumn('domain_id', 'integer', (column) => column.notNull())
    .addColumn('rule_id', 'integer', (column) => column.notNull())
    .addColumn('day', 'integer', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('met', 'integer', (column) => column.notNull())
    .addColumn('failed', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('decision_rule_hits_key', ['domain_id', 'rule_id', 'day', 'state'])
    .execute()
}
