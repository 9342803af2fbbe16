import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** People who sign in to the dashboard, what they changed, and how their questions find rows. */
async function createAccountTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('users')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('email', 'text', (column) => column.notNull().unique())
    .addColumn('password_hash', 'text', (column) => column.notNull())
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('created_at', 'integer', (column) => column.notNull())
    .execute()

  await db.schema
    .createTable('sessions')
    // Never used again: an access token names it, and must not open a later session.
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('user_id', 'integer', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('family', 'blob', (column) => column.notNull().unique())
    .addColumn('token_hash', 'blob', (column) => column.notNull())
    .addColumn('created_at', 'integer', (column) => column.notNull())
    .addColumn('expires_at', 'integer', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('sessions_expiry').on('sessions').column('expires_at').execute()
  await db.schema.createIndex('sessions_user').on('sessions').column('user_id').execute()

  await db.schema
    .createTable('audit')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('at', 'integer', (column) => column.notNull())
    .addColumn('actor', 'text', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('target', 'text', (column) => column.notNull())
    .addColumn('detail', 'text', (column) => column.notNull())
    .execute()

  await db.schema
    .createIndex('identifications_score')
    .on('identifications')
    .columns(['domain_id', 'score', 'created_at'])
    .execute()
  await db.schema
    .createIndex('deliveries_by_request')
    .on('deliveries')
    .columns(['domain_id', 'request_id'])
    .execute()
  await db.schema
    .createIndex('deliveries_failed')
    .on('deliveries')
    .columns(['domain_id', 'endpoint_id', 'id'])
    .where(sql<boolean>`status is null or status < 200 or status >= 300`)
    .execute()
}

/** Counts of identifications by hour and day, and how far they have been counted. */
async function createRollupTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('rollups')
    .addColumn('domain_id', 'integer', (column) => column.notNull())
    .addColumn('span_hours', 'integer', (column) => column.notNull())
    .addColumn('dimension', 'text', (column) => column.notNull())
    .addColumn('start', 'integer', (column) => column.notNull())
    .addColumn('value', 'text', (column) => column.notNull())
    .addColumn('identifications', 'integer', (column) => column.notNull())
    .addColumn('scored', 'integer', (column) => column.notNull())
    .addColumn('score_sum', 'integer', (column) => column.notNull())
    .addColumn('points_sum', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('rollups_key', ['domain_id', 'span_hours', 'dimension', 'start', 'value'])
    .modifyEnd(sql`without rowid`)
    .execute()

  await db.schema
    .createTable('rollup_progress')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('last_id', 'integer', (column) => column.notNull())
    .addColumn('removals', 'integer', (column) => column.notNull())
    .execute()
  await sql`insert into rollup_progress (id, last_id, removals) values (1, 0, 0)`.execute(db)
}

/** Findings of the abuse patterns, the rows that made them, and who wants to hear of them. */
async function createPatternTables(db: Kysely<unknown>): Promise<void> {
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

/** Weights of a domain's own, every version that was ever saved. */
async function createDomainRulesTable(db: Kysely<unknown>): Promise<void> {
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

/**
 * Keys of devices that are not in `device_keys` yet. A device's keys lie all over that table: written with
 * each identification they would cost more than all the rest of it. Here they are one row.
 */
async function createUnlistedKeysTables(db: Kysely<unknown>): Promise<void> {
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

/** By the name under which databases record them: neither a name nor a migration may ever change. */
export const NEXT_MIGRATIONS = {
  '0004-accounts': { up: createAccountTables },
  '0005-rollups': { up: createRollupTables },
  '0006-patterns': { up: createPatternTables },
  '0007-domain-rules': { up: createDomainRulesTable },
  '0008-unlisted-keys': { up: createUnlistedKeysTables },
} satisfies Record<string, Migration>
