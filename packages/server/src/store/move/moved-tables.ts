import { createHash } from 'node:crypto'

/** A table of the embedded database, and how its rows lie in PostgreSQL. */
export interface MovedTable {
  name: string
  /** Columns by which both engines list its rows in the same order. */
  key: readonly string[]
  /** Query for its rows, where the embedded database keeps them otherwise. */
  source?: string
  /** Column of the key with text of visitors, which PostgreSQL keeps, and so orders, in its own way. */
  visitorText?: string
}

/** Of what a number stands for a whole row, the keys of that row get numbers in between. */
export const NUMBERS_PER_ROW = 1_024

const REQUEST_IDS =
  'select domain_id, request_id, created_at from identifications where request_id is not null'

/**
 * One row for each key, worked out once. Those that a run has listed already are left out. `new_keys` gives them
 * as JSON.
 */
export const PREPARE_ROWS = `create temp table unlisted_rows as
  select u.id * ${NUMBERS_PER_ROW} + k.key as id, u.domain_id, u.family, u.device,
    k.value ->> 0 as key, k.value ->> 1 as kind, k.value ->> 2 as listed
  from unlisted_keys u, json_each(new_keys(u.keys)) k
  where not exists (
    select 1 from listing_run r
    where u.id <= r.through and (u.domain_id, k.value ->> 0) <= (r.domain_id, r.key));
  create index temp.unlisted_rows_id on unlisted_rows (id)`

/** Every table, in an order in which each finds what it refers to. */
export const MOVED_TABLES: readonly MovedTable[] = [
  { name: 'domains', key: ['id'] },
  { name: 'endpoints', key: ['id'] },
  { name: 'domain_rules', key: ['domain_id', 'version'] },
  { name: 'users', key: ['id'] },
  { name: 'sessions', key: ['id'] },
  { name: 'audit', key: ['id'] },
  { name: 'identifications', key: ['id'] },
  { name: 'request_ids', key: ['request_id'], source: REQUEST_IDS },
  { name: 'snapshots', key: ['identification_id'] },
  { name: 'versions', key: ['domain_id', 'identification_id', 'ver'] },
  { name: 'sticky_verdicts', key: ['id'] },
  { name: 'outbox', key: ['id'] },
  { name: 'deliveries', key: ['id'] },
  { name: 'devices', key: ['id'] },
  { name: 'device_keys', key: ['domain_id', 'key', 'ordinal'] },
  { name: 'key_spreads', key: ['domain_id', 'family', 'kind'] },
  { name: 'device_aliases', key: ['domain_id', 'device_id'] },
  { name: 'unlisted_keys', key: ['id'], source: 'select * from unlisted_rows' },
  { name: 'rollups', key: ['domain_id', 'span_hours', 'dimension', 'start', 'value'], visitorText: 'value' },
  { name: 'rollup_progress', key: ['id'] },
  { name: 'pattern_findings', key: ['id'] },
  { name: 'pattern_rows', key: ['domain_id', 'finding_id', 'identification_id'] },
  { name: 'pattern_cursor', key: ['id'] },
  // Last: until then it is seen that a run was interrupted, and not that somebody changed keys.
  { name: 'directory_version', key: ['id'] },
]

/** Of one engine alone: nothing of it is moved as it is. */
export const UNMOVED_TABLES: readonly string[] = ['listing_run', 'kysely_migration', 'kysely_migration_lock']

export type MovedValue = number | string | Uint8Array | null
export type MovedRow = Record<string, MovedValue>

/** Values of a row's key. */
export type RowKey = readonly MovedValue[]

/** SHA-256 over every value, the same of the same rows whatever the engine. */
export function digestOf(rows: readonly MovedRow[], columns: readonly string[]): string {
  const hash = createHash('sha256')
  for (const row of rows) hash.update(columns.map((column) => textOf(row[column])).join())
  return hash.digest('hex')
}

/** With its length, so that no two rows have one text. */
function textOf(value: MovedValue | undefined): string {
  if (value === null || value === undefined) return '-'
  if (typeof value === 'number') return `n${value}`
  if (typeof value === 'string') return `t${value.length}:${value}`
  return `b${value.length}:${Buffer.from(value.buffer, value.byteOffset, value.length).toString('base64')}`
}

export const keyOf = (row: MovedRow, key: readonly string[]): RowKey =>
  key.map((column) => row[column] ?? null)
