import type { SearchType } from '@inkling/contract'
import { type ExpressionBuilder, type ExpressionWrapper, type Kysely, type SqlBool, sql } from 'kysely'
import { normalAddress } from '../../lib/address.ts'
import { hash53 } from '../../lib/hash53.ts'
import { uuidBytesOrNil, uuidToText } from '../../lib/uuid.ts'
import { cookieKey } from '../../visit/known-device.ts'
import { aliasesOf } from '../devices/device-aliases.ts'
import type { Lookup } from '../identifications/lookup.ts'
import type { Schema } from '../schema.ts'

/** One identifier of a person, in the form of the API. */
export interface Identifier {
  type: SearchType
  value: string
}

/**
 * The identifier and, of a device, its other IDs before it, the farthest first: what is left after an interruption is
 * found again.
 */
export async function withOtherIds(
  db: Kysely<Schema>,
  domainId: number,
  identifier: Identifier,
): Promise<Identifier[]> {
  if (identifier.type !== 'device_id') return [identifier]
  const others = await aliasesOf(db, domainId, uuidBytesOrNil(identifier.value))
  return [...others.reverse().map((id) => ({ type: identifier.type, value: uuidToText(id) })), identifier]
}

/** Addresses of a row beside its own. Each has an index on the rows where it differs. */
const OTHER_ADDRESSES = ['web_rtc_ip', 'scanner_web_rtc_ip', 'webrtc_leak_ip'] as const

type Rows = ExpressionBuilder<Schema, 'identifications'>
export type Condition = (rows: Rows) => ExpressionWrapper<Schema, 'identifications', SqlBool>

/**
 * Conditions on identifications that hold an identifier, each with an index of its own.
 * @param lookup the identifier in the form of its column
 */
export function conditionsOf({ column, value }: Lookup): Condition[] {
  const own: Condition = (rows) => rows(column, value === null ? 'is' : '=', value)
  if (column !== 'ip' || typeof value !== 'number') return [own]
  return [
    own,
    ...OTHER_ADDRESSES.map(
      (other): Condition =>
        (rows) =>
          otherIs(rows, other, value),
    ),
  ]
}

const IDS_MAX = 200

/** The same on identifications by their numbers. */
export const conditionsOnIds = (ids: readonly number[]): Condition[] =>
  Array.from({ length: Math.ceil(ids.length / IDS_MAX) }, (_, index) => {
    const some = ids.slice(index * IDS_MAX, (index + 1) * IDS_MAX)
    return (rows) => rows('id', 'in', some)
  })

const otherIs = (rows: Rows, column: (typeof OTHER_ADDRESSES)[number], address: number) =>
  rows.and([
    rows(column, '=', address),
    // The condition of its index. A row whose own address it is has been found by that.
    ...(column === 'webrtc_leak_ip' ? [] : [sql<boolean>`${sql.ref(column)} is distinct from ip`]),
  ])

/** Devices that remember an identifier as a hash, also after the visits with it are gone. */
export async function rememberingDevices(
  db: Kysely<Schema>,
  domainId: number,
  { type, value }: Identifier,
): Promise<Uint8Array[]> {
  if (type === 'cookie_id') return devicesWithKey(db, domainId, cookieKey(value.toLowerCase()))
  if (type === 'ip') return devicesMentioning(db, domainId, hash53(normalAddress(value)))
  return []
}

async function devicesWithKey(db: Kysely<Schema>, domainId: number, key: number): Promise<Uint8Array[]> {
  const rows = await db
    .selectFrom('devices')
    .innerJoin('device_keys', (join) =>
      join
        .onRef('device_keys.device', '=', 'devices.id')
        .onRef('device_keys.domain_id', '=', 'devices.domain_id'),
    )
    .select('devices.device_id')
    .where('device_keys.domain_id', '=', domainId)
    .where('device_keys.key', '=', key)
    .execute()
  return [...rows.map(({ device_id }) => device_id), ...(await devicesMentioning(db, domainId, key))]
}

/** Reads all profiles of the domain: a profile is JSON without an index. */
async function devicesMentioning(db: Kysely<Schema>, domainId: number, hash: number): Promise<Uint8Array[]> {
  const rows = await db
    .selectFrom('devices')
    .select('device_id')
    .where('domain_id', '=', domainId)
    .where('profile', 'like', `%${hash}%`)
    .execute()
  return rows.map(({ device_id }) => device_id)
}

/** Whether device profiles hold the identifier or a hash of it, so that the device has to go with it. */
export const isInProfiles = (type: SearchType): boolean =>
  type === 'device_id' || type === 'cookie_id' || type === 'visitor_id' || type === 'ip'
