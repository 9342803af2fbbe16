import { isUuid } from '@inkling/contract'
import type { Kysely } from 'kysely'
import { ipv4ToNumber } from '../lib/ipv4-number.ts'
import { uuidBytesOrNil } from '../lib/uuid.ts'
import type { IdentificationRow } from './identifications.ts'
import { ENTITY_ROWS_MAX } from './pattern-candidates.ts'
import type { Schema } from './schema.ts'

const COLUMNS = [
  'id',
  'created_at',
  'device_id',
  'visitor_id',
  'cookie_id',
  'user_hid',
  'host',
  'ip',
  'country',
  'connection_type',
  'score',
  'web_rtc_ip',
  'webrtc_leak_ip',
] as const

export type StoredPatternRow = Pick<IdentificationRow, (typeof COLUMNS)[number]>

/** Kind and value of what a pattern is about, the value as the wire has it. */
export interface PatternEntityKey {
  domainId: number
  type: 'device_id' | 'visitor_id' | 'user_hid' | 'local_ip'
  value: string
}

/** The newest rows of an entity since a time, newest first. */
export async function patternRows(
  db: Kysely<Schema>,
  { domainId, type, value }: PatternEntityKey,
  sinceMs: number,
): Promise<StoredPatternRow[]> {
  const rows = (column: 'device_id' | 'visitor_id' | 'user_hid' | 'ip' | 'webrtc_leak_ip', of: ColumnValue) =>
    db
      .selectFrom('identifications')
      .select(COLUMNS)
      .where('domain_id', '=', domainId)
      .where(column, '=', of)
      .where('created_at', '>=', sinceMs)
      .orderBy('created_at', 'desc')
      .limit(ENTITY_ROWS_MAX)
      .execute()
  if (type === 'user_hid') return rows(type, value)
  if (type !== 'local_ip') return isUuid(value) ? rows(type, uuidBytesOrNil(value)) : []
  const address = ipv4ToNumber(value)
  if (address === undefined) return []
  const [leaking, direct] = await Promise.all([rows('webrtc_leak_ip', address), rows('ip', address)])
  const seen = direct.filter(({ webrtc_leak_ip, web_rtc_ip }) => (webrtc_leak_ip ?? web_rtc_ip) === address)
  return [...leaking, ...seen].sort((a, b) => b.created_at - a.created_at)
}

type ColumnValue = Uint8Array | string | number

/** An account is told by its latest visits. */
const HOME_ROWS = 50

/** Devices of an account's latest visits, newest first. */
export async function devicesOfAccount(
  db: Kysely<Schema>,
  domainId: number,
  account: string,
  sinceMs: number,
): Promise<Uint8Array[]> {
  const rows = await db
    .selectFrom('identifications')
    .select('device_id')
    .where('domain_id', '=', domainId)
    .where('user_hid', '=', account)
    .where('created_at', '>=', sinceMs)
    .orderBy('created_at', 'desc')
    .limit(HOME_ROWS)
    .execute()
  return rows.map(({ device_id }) => device_id)
}
