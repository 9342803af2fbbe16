import { namesAccount, namesOne } from '@inkling/contract'
import type { Kysely } from 'kysely'
import { parseAddress } from '../../lib/address.ts'
import { isPublicAddress } from '../../lib/address-scope.ts'
import { DAY_MS } from '../../lib/durations.ts'
import { uuidToText } from '../../lib/uuid.ts'
import {
  devicesOfAccount,
  type PatternEntityKey,
  patternRows,
  type StoredPatternRow,
} from '../../store/findings/pattern-input.ts'
import type { Schema } from '../../store/schema.ts'
import { sharingAccounts } from './local-ip-patterns.ts'
import { groupRows, type HomeDeviceOf, homeDevice, type PatternRow } from './pattern.ts'
import { LONGEST_WINDOW_MS } from './patterns.ts'

const SCORE_MAX = 100

/** Connection types that hide where the visitor is. Hosting networks are stored as `proxy`. */
const HIDDEN_TYPES: readonly string[] = ['vpn', 'proxy', 'tor', 'privacy_relay', 'browser_vpn_proxy']

/** More than any grade needs: the newest accounts of a device stand for the rest. */
const DEVICE_ACCOUNTS_MAX = 100
/** At an address the accounts are compared with all others there, so it is worth more of them. */
const ADDRESS_ACCOUNTS_MAX = 500
const HOME_WINDOW_MS = 30 * DAY_MS

/**
 * Whether strangers do not share this value: no placeholder account, no nil ID, no private or carrier-grade address.
 */
export function identifiesOneEntity({ type, value }: Pick<PatternEntityKey, 'type' | 'value'>): boolean {
  if (type === 'user_hid') return namesAccount(value)
  if (type !== 'local_ip') return namesOne(value)
  const address = parseAddress(value)
  return address !== undefined && isPublicAddress(address)
}

/** The entity's rows within the longest window, newest first; none for a value that strangers share. */
export async function readEntityRows(
  db: Kysely<Schema>,
  key: PatternEntityKey,
  nowMs: number,
): Promise<PatternRow[]> {
  if (!identifiesOneEntity(key)) return []
  return (await patternRows(db, key, nowMs - LONGEST_WINDOW_MS)).map(patternRow)
}

/** Looks up the home devices of the accounts among an entity's rows, as far as its patterns ask for them. */
export async function readHomeDevices(
  db: Kysely<Schema>,
  { domainId, type }: PatternEntityKey,
  rows: readonly PatternRow[],
  nowMs: number,
): Promise<HomeDeviceOf> {
  const homes = new Map<string, string>()
  const recent = rows.filter(({ atMs }) => atMs > nowMs - HOME_WINDOW_MS)
  for (const account of accountsToLookUp(type, recent)) {
    const devices = await devicesOfAccount(db, domainId, account, nowMs - HOME_WINDOW_MS)
    const home = homeDevice(devices.map(idOf))
    if (home !== undefined) homes.set(account, home)
  }
  return (account) => homes.get(account)
}

function accountsToLookUp(type: PatternEntityKey['type'], rows: readonly PatternRow[]): string[] {
  if (type !== 'local_ip' && type !== 'device_id') return []
  if (type === 'local_ip') return sharingAccounts(rows).slice(0, ADDRESS_ACCOUNTS_MAX)
  return [...groupRows(rows, ({ account }) => account).keys()].slice(0, DEVICE_ACCOUNTS_MAX)
}

const patternRow = (row: StoredPatternRow): PatternRow => ({
  id: row.id,
  atMs: row.created_at,
  deviceId: idOf(row.device_id),
  visitorId: idOf(row.visitor_id),
  cookieId: idOf(row.cookie_id),
  account: namesAccount(row.user_hid) ? row.user_hid : undefined,
  host: row.host,
  ip: row.ip ?? undefined,
  country: row.country ?? undefined,
  hidden: HIDDEN_TYPES.includes(row.connection_type),
  score: row.score > SCORE_MAX ? undefined : row.score,
  leakedIp: row.webrtc_leak_ip ?? undefined,
})

function idOf(bytes: Uint8Array): string | undefined {
  const id = uuidToText(bytes)
  return namesOne(id) ? id : undefined
}
