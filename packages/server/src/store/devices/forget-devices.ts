import { type Kysely, sql } from 'kysely'
import type { DeviceProfile } from '../../visit/known-device.ts'
import { engineSql } from '../engine-sql.ts'
import type { Schema } from '../schema.ts'
import { decodeProfile } from './devices.ts'

/** Apart from `devices.ts`, because the threads of the embedded database start without the query builder. */

export interface ForgetOptions {
  /** Whether to remove devices that other identifications still refer to; their next visit makes a new device. */
  evenIfSeenElsewhere: boolean
}

/** Devices and keys in one statement. A device with the keys of 32 cookies has several hundred of them. */
const DEVICES_AT_ONCE = 200
const KEYS_AT_ONCE = 5_000

/** Removes devices with their profiles and keys, and the aliases of those that no identification refers to. */
export async function forgetDevices(
  transaction: Kysely<Schema>,
  domainId: number,
  deviceIds: readonly Uint8Array[],
  { evenIfSeenElsewhere }: ForgetOptions,
): Promise<void> {
  for (const some of pieces(deviceIds, DEVICES_AT_ONCE)) {
    const unseen = await unreferenced(transaction, domainId, some)
    await forgetAliases(transaction, domainId, unseen)
    await forgetProfiles(transaction, domainId, evenIfSeenElsewhere ? some : unseen)
  }
}

async function forgetProfiles(
  transaction: Kysely<Schema>,
  domainId: number,
  deviceIds: readonly Uint8Array[],
): Promise<void> {
  if (deviceIds.length === 0) return
  const devices = await transaction
    .selectFrom('devices')
    .select(['id', 'profile', 'keys'])
    .where('domain_id', '=', domainId)
    .where('device_id', 'in', deviceIds)
    .execute()
  if (devices.length === 0) return
  const ids = devices.map(({ id }) => id)
  const keys = new Set(devices.flatMap(({ profile, keys }) => keysOf(decodeProfile(profile, keys))))
  // Looked up by key, as `device_keys` has no index on the device.
  for (const some of pieces([...keys], KEYS_AT_ONCE))
    await transaction
      .deleteFrom('device_keys')
      .where('domain_id', '=', domainId)
      .where('key', 'in', some)
      .where('device', 'in', ids)
      .execute()
  await transaction
    .deleteFrom('unlisted_keys')
    .where('domain_id', '=', domainId)
    .where('device', 'in', ids)
    .execute()
  await transaction
    .deleteFrom('devices')
    .where(engineSql(transaction).besideIds('domain_id'), '=', domainId)
    .where('id', 'in', ids)
    .execute()
}

function* pieces<Value>(values: readonly Value[], length: number): Generator<readonly Value[]> {
  for (let from = 0; from < values.length; from += length) yield values.slice(from, from + length)
}

const keysOf = ({ keys, cookies }: DeviceProfile): number[] => [
  ...keys,
  ...cookies.flatMap(({ key, deviceKeys = [] }) => [key, ...deviceKeys]),
]

async function forgetAliases(
  transaction: Kysely<Schema>,
  domainId: number,
  deviceIds: readonly Uint8Array[],
): Promise<void> {
  if (deviceIds.length === 0) return
  await transaction
    .deleteFrom('device_aliases')
    .where('domain_id', '=', domainId)
    .where(({ or, eb }) => or([eb('device_id', 'in', deviceIds), eb('merged_into', 'in', deviceIds)]))
    .execute()
}

/** Those that no identification refers to. */
async function unreferenced(
  transaction: Kysely<Schema>,
  domainId: number,
  deviceIds: readonly Uint8Array[],
): Promise<Uint8Array[]> {
  const { bytes } = engineSql(transaction)
  const given = sql.join(deviceIds.map((deviceId) => sql`(cast(${deviceId} as ${bytes}))`))
  const { rows } = await sql<{ value: Uint8Array }>`
    with given(value) as (values ${given})
    select value from given where not exists (
      select 1 from identifications where domain_id = ${domainId} and device_id = value)`.execute(transaction)
  return rows.map(({ value }) => value)
}
