import { createHash } from 'node:crypto'

export type MovedValue = number | string | Uint8Array | null
export type MovedRow = Record<string, MovedValue>

/** Values of a row's key columns. */
export type RowKey = readonly MovedValue[]

/** A table of the embedded database that is copied to PostgreSQL. */
export interface MovedTable {
  name: string
  /** Key columns. Both engines read the rows in this order. */
  key: readonly string[]
  /** Query for the rows as PostgreSQL stores them, if the embedded database stores them differently. */
  source?: string
  /** Key column with text of visitors, which PostgreSQL stores escaped and therefore sorts differently. */
  visitorText?: string
}

/** One row of the embedded `unlisted_keys` becomes up to this many rows; their IDs keep the order. */
const KEYS_PER_ROW_MAX = 1_024

/**
 * SQL that splits `unlisted_keys` into one row for each key, without the keys that an unfinished run has listed. The
 * function `new_keys` decodes the keys to JSON.
 */
export const PREPARE_ROWS = `create temp table unlisted_rows as
  select u.id * ${KEYS_PER_ROW_MAX} + k.key as id, u.domain_id, u.family, u.device,
    k.value ->> 0 as key, k.value ->> 1 as kind, k.value ->> 2 as listed
  from unlisted_keys u, json_each(new_keys(u.keys)) k
  where not exists (
    select 1 from listing_run r
    where u.id <= r.through and (u.domain_id, k.value ->> 0) <= (r.domain_id, r.key));
  create index temp.unlisted_rows_id on unlisted_rows (id)`

const REQUEST_IDS =
  'select domain_id, request_id, created_at from identifications where request_id is not null'

/** All moved tables; each comes after the tables that it refers to. */
export const MOVED_TABLES: readonly MovedTable[] = [
  { name: 'domains', key: ['id'] },
  { name: 'endpoints', key: ['id'] },
  { name: 'domain_rules', key: ['domain_id', 'version'] },
  { name: 'agent_policies', key: ['domain_id', 'version'] },
  { name: 'decision_rules', key: ['domain_id', 'rule_id', 'version'] },
  { name: 'decision_thresholds', key: ['domain_id'] },
  { name: 'decision_rule_hits', key: ['domain_id', 'rule_id', 'day', 'state'] },
  { name: 'back_tests', key: ['domain_id', 'kind'] },
  { name: 'list_entries', key: ['id'] },
  { name: 'list_versions', key: ['domain_id'] },
  { name: 'labels', key: ['id'] },
  { name: 'cases', key: ['id'] },
  { name: 'case_events', key: ['id'] },
  { name: 'case_cursor', key: ['id'] },
  { name: 'alert_channels', key: ['id'] },
  { name: 'alert_rules', key: ['id'] },
  { name: 'alerts', key: ['id'] },
  { name: 'alert_events', key: ['domain_id', 'rule_id', 'source_key'] },
  { name: 'alert_deliveries', key: ['id'] },
  { name: 'alert_cursor', key: ['id'] },
  { name: 'users', key: ['id'] },
  { name: 'domain_members', key: ['domain_id', 'user_id'] },
  { name: 'sessions', key: ['id'] },
  { name: 'recovery_codes', key: ['user_id', 'code_hash'] },
  { name: 'passkeys', key: ['id'] },
  { name: 'invitations', key: ['id'] },
  { name: 'login_steps', key: ['token_hash'] },
  { name: 'audit', key: ['id'] },
  { name: 'saved_views', key: ['domain_id', 'id'] },
  { name: 'assistant_clients', key: ['id'] },
  { name: 'assistant_grants', key: ['domain_id', 'id'] },
  { name: 'assistant_proposals', key: ['domain_id', 'id'] },
  { name: 'api_keys', key: ['domain_id', 'id'] },
  { name: 'identifications', key: ['id'] },
  { name: 'request_ids', key: ['request_id'], source: REQUEST_IDS },
  { name: 'snapshots', key: ['identification_id'] },
  { name: 'versions', key: ['domain_id', 'identification_id', 'ver'] },
  { name: 'sticky_verdicts', key: ['id'] },
  { name: 'decisions', key: ['id'] },
  { name: 'velocity', key: ['domain_id', 'subject', 'hash'] },
  { name: 'outbox', key: ['id'] },
  { name: 'deliveries', key: ['id'] },
  { name: 'devices', key: ['id'] },
  { name: 'device_keys', key: ['domain_id', 'key', 'ordinal'] },
  { name: 'key_spreads', key: ['domain_id', 'family', 'kind'] },
  { name: 'key_sweep', key: ['id'] },
  { name: 'device_aliases', key: ['domain_id', 'device_id'] },
  { name: 'unlisted_keys', key: ['id'], source: 'select * from unlisted_rows' },
  { name: 'rollups', key: ['domain_id', 'span_hours', 'dimension', 'start', 'value'], visitorText: 'value' },
  { name: 'rollup_progress', key: ['id'] },
  { name: 'pattern_findings', key: ['id'] },
  { name: 'pattern_rows', key: ['domain_id', 'finding_id', 'identification_id'] },
  { name: 'pattern_cursor', key: ['id'] },
  { name: 'change_feed', key: ['id'] },
  { name: 'late_changes', key: ['domain_id', 'kind', 'row_id', 'ver', 'key'] },
  { name: 'cold_objects', key: ['domain_id', 'object'] },
  { name: 'cold_progress', key: ['domain_id'] },
  // Last, because a different version tells a target in use from one that an interrupted move left.
  { name: 'directory_version', key: ['id'] },
]

/** Tables that only one engine needs, and what each server writes at its start. */
export const UNMOVED_TABLES: readonly string[] = [
  'listing_run',
  'velocity_log',
  'velocity_writer',
  'server_settings',
  'nodes',
  'unscrubbed_domains',
  'installation',
  'kysely_migration',
  'kysely_migration_lock',
]

/** SHA-256 over all values; equal for equal rows of both engines. */
export function digestOf(rows: readonly MovedRow[], columns: readonly string[]): string {
  const hash = createHash('sha256')
  for (const row of rows) hash.update(columns.map((column) => encodeValue(row[column])).join())
  return hash.digest('hex')
}

/** With type and length, so that different rows never have the same encoding. */
function encodeValue(value: MovedValue | undefined): string {
  if (value === null || value === undefined) return '-'
  if (typeof value === 'number') return `n${value}`
  if (typeof value === 'string') return `t${value.length}:${value}`
  return `b${value.length}:${Buffer.from(value.buffer, value.byteOffset, value.length).toString('base64')}`
}

export const keyOf = (row: MovedRow, key: readonly string[]): RowKey =>
  key.map((column) => row[column] ?? null)
