import { randomUUID } from 'node:crypto'

/** The data of one request that is written to the table. */
export interface CeilingRow {
  requestId: string
  address: string
  host: string
  body: Uint8Array
}

export const INDEXED = [
  'request_id',
  'session_id',
  'cookie_id',
  'device_id',
  'visitor_id',
  'user_hid',
  'ip',
  'host',
  'created_at',
]
const FACTS = Array.from({ length: 45 - INDEXED.length - 1 }, (_, index) => `fact_${index + 1}`)
export const COLUMNS = [...INDEXED, 'body', ...FACTS]
/** About as wide as operating systems, countries, channels and scores. */
export const VALUES = FACTS.map(
  (_, index) => ['Windows', 'US', 'organic', 'Chrome 148', '0'][index % 5] ?? '',
)

/** The indexed cells. Identifiers are random, which costs the same to index. */
export const indexedCells = ({ requestId, address, host }: CeilingRow, now: string): string[] => [
  requestId,
  ...Array.from({ length: 5 }, () => randomUUID()),
  address,
  host,
  now,
]

/**
 * The table layout for both engines.
 * @param blob the engine's type for bytes
 */
export const ceilingDefinition = (blob: string): string[] => [
  `create table visits (${COLUMNS.map((name) => `${name} ${name === 'body' ? blob : 'text'} not null`).join(', ')})`,
  ...INDEXED.map((name) => `create index visits_${name} on visits (${name})`),
]
