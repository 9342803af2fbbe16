import type { ClientBase } from 'pg'
import { uuidBytesOrNil } from '../../lib/uuid.ts'
import type { DeviceProfile, DeviceWrite } from '../../visit/known-device.ts'
import type { RowOf } from '../columns.ts'
import { encodeProfile } from '../devices/devices.ts'
import { arrayStatement, hexOf, insertNumbered, runIfAny } from './array-statement.ts'
import type { Numbers } from './new-numbers.ts'

/** An identification with the change to its device. */
export interface WithDevice {
  operation: { device?: DeviceWrite | undefined }
}

/** Adds the new devices and returns their numbers. A device whose ID exists already has none. */
export async function addDevices<Item extends WithDevice>(
  client: ClientBase,
  items: readonly Item[],
  numbers: Numbers,
): Promise<Map<Item, number>> {
  const byDevice = new Map(
    items.flatMap((item) => {
      const { device } = item.operation
      if (!device || device.number !== undefined) return []
      const row = { domain_id: device.domainId, ...profileColumns(device.profile) }
      return [[nameOf(row.domain_id, row.device_id), { item, row }] as const]
    }),
  )
  if (byDevice.size === 0) return new Map()
  // Sorted, so that all transactions lock devices in the same order and cannot deadlock.
  const rows = [...byDevice.values()]
    .map(({ row }) => ({ ...row, id: numbers.next('devices') }))
    .sort((a, b) => a.domain_id - b.domain_id || Buffer.compare(a.device_id, b.device_id))
  const added = await ADD.run(client, rows)
  return new Map(
    added.flatMap(({ id, domain_id, device_id }) => {
      const found = byDevice.get(nameOf(domain_id, device_id))
      return found ? [[found.item, id]] : []
    }),
  )
}

/** Takes back devices that this transaction added. */
export const removeDevices = (
  client: ClientBase,
  devices: readonly { domain_id: number; id: number }[],
): Promise<void> => runIfAny(REMOVE, client, devices)

const nameOf = (domainId: number, deviceId: Uint8Array): string => `${domainId} ${hexOf(deviceId)}`

const profileColumns = (profile: DeviceProfile) => ({
  device_id: uuidBytesOrNil(profile.deviceId),
  last_at: profile.lastAtMs,
  ...encodeProfile(profile),
})

/** Updates known devices and merges devices that proved to be the same. */
export async function changeDevices(client: ClientBase, items: readonly WithDevice[]): Promise<void> {
  const changed: (RowOf<typeof DEVICE> & { id: number })[] = []
  const aliases: RowOf<typeof ALIAS>[] = []
  for (const { operation } of items) {
    const { device } = operation
    if (!device) continue
    const own = profileColumns(device.profile)
    if (device.number !== undefined) changed.push({ domain_id: device.domainId, id: device.number, ...own })
    if (!device.merged) continue
    const merged = profileColumns(device.merged.profile)
    changed.push({ domain_id: device.domainId, id: device.merged.number, ...merged })
    aliases.push({
      domain_id: device.domainId,
      device_id: merged.device_id,
      merged_into: own.device_id,
      created_at: own.last_at,
    })
  }
  changed.sort((a, b) => a.id - b.id)
  await Promise.all([runIfAny(CHANGE, client, changed), runIfAny(ADD_ALIASES, client, aliases)])
}

/** Adds new keys to `unlisted_keys`. */
export async function addKeys<Item extends WithDevice>(
  client: ClientBase,
  items: readonly Item[],
  { devices, numbers }: { devices: ReadonlyMap<Item, number>; numbers: Numbers },
): Promise<void> {
  const keys = items.flatMap((item) => {
    const { device } = item.operation
    const number = device?.number ?? devices.get(item)
    if (!device || number === undefined) return []
    return device.keys.map(({ key, kind, listed }) => ({
      domain_id: device.domainId,
      family: device.family,
      device: number,
      key,
      kind: kind ?? null,
      listed,
      id: numbers.next('unlisted_keys'),
    }))
  })
  await runIfAny(ADD_KEYS, client, keys)
}

const DEVICE = {
  domain_id: 'integer',
  device_id: 'bytes',
  last_at: 'integer',
  profile: 'text',
  keys: 'bytes',
} as const
const ALIAS = {
  domain_id: 'integer',
  device_id: 'bytes',
  merged_into: 'bytes',
  created_at: 'integer',
} as const

const ADD = arrayStatement(
  'add devices',
  { ...DEVICE, id: 'integer or null' },
  (rows, place) => `insert into ${place.table('devices')} (domain_id, device_id, last_at, profile, keys, id)
    select domain_id, device_id, last_at, profile, keys, ${place.number('devices')} from ${rows}
    on conflict (domain_id, device_id) do nothing returning id, domain_id, device_id`,
  { id: 'integer', domain_id: 'integer', device_id: 'bytes' },
)
const REMOVE = arrayStatement(
  'remove devices',
  { domain_id: 'integer', id: 'integer' },
  (rows, place) => `delete from ${place.table('devices')} as devices using ${rows}
    where devices.domain_id = given.domain_id and devices.id = given.id`,
)
const CHANGE = arrayStatement(
  'change devices',
  { ...DEVICE, id: 'integer' },
  (rows, place) => `update ${place.table('devices')} as devices
    set last_at = given.last_at, profile = given.profile, keys = given.keys
    from ${rows} where devices.id = given.id and devices.domain_id = given.domain_id`,
)
const ADD_ALIASES = arrayStatement(
  'add aliases',
  ALIAS,
  (
    rows,
    place,
  ) => `insert into ${place.table('device_aliases')} (domain_id, device_id, merged_into, created_at)
    select domain_id, device_id, merged_into, created_at from ${rows}
    on conflict (domain_id, device_id) do update
    set merged_into = excluded.merged_into, created_at = excluded.created_at`,
)
const ADD_KEYS = insertNumbered('unlisted_keys', {
  domain_id: 'integer',
  family: 'integer',
  device: 'integer',
  key: 'integer',
  kind: 'integer or null',
  listed: 'boolean',
})
