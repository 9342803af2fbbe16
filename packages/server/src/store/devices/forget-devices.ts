import { type Kysely, sql } from 'kysely'
import { type DeviceProfile, LISTED_MAX } from '../../visit/known-device.ts'
import { engineSql } from '../engine-sql.ts'
import type { Schema } from '../schema.ts'
import { decodeProfile, GONE } from './devices.ts'

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
  for (const some of pieces([...keys], KEYS_AT_ONCE)) await unlist(transaction, domainId, some, ids)
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

/**
 * Removes devices that are gone from the lists of keys, found by key, as `device_keys` has no index on the device. Of a
 * key with more devices than are listed, the newest one's row says how many there are. It stays, without the device: if
 * the count began again, a look with many clones would seem rare, as known devices do not add to it when they return.
 */
export async function unlist(
  db: Kysely<Schema>,
  domainId: number,
  keys: readonly number[],
  devices: readonly number[],
): Promise<void> {
  // Numbers of devices are not used again.
  const device = engineSql(db).besideIds('device')
  await db
    .updateTable('device_keys')
    .set({ device: GONE })
    .where('domain_id', '=', domainId)
    .where('key', 'in', keys)
    .where(device, 'in', devices)
    .where('ordinal', '>', LISTED_MAX)
    .execute()
  await db
    .deleteFrom('device_keys')
    .where('domain_id', '=', domainId)
    .where('key', 'in', keys)
    .where(device, 'in', devices)
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
  // Each has an index of its own. With an `or` SQLite reads all aliases of the domain.
  for (const column of ['device_id', 'merged_into'] as const)
    await transaction
      .deleteFrom('device_aliases')
      .where('domain_id', '=', domainId)
      .where(column, 'in', deviceIds)
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
