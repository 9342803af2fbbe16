import type { Kysely } from 'kysely'
import type { DeviceProfile } from '../../visit/known-device.ts'
import type { KeySpreadTable, Schema } from '../schema.ts'

/** Keys lie beside the rest: they are half of a profile, and as text they would be twice as long. */
export const encodeProfile = ({
  keys,
  ...profile
}: DeviceProfile): { profile: string; keys: Uint8Array } => ({
  profile: JSON.stringify(profile),
  keys: new Uint8Array(Float64Array.from(keys).buffer),
})

export const decodeProfile = (profile: string, keys: Uint8Array): DeviceProfile => ({
  mergedInto: undefined,
  fonts: undefined,
  ...(JSON.parse(profile) as Omit<DeviceProfile, 'keys' | 'mergedInto' | 'fonts'>),
  // A copy, as numbers must lie on multiples of eight bytes.
  keys: [...new Float64Array(Uint8Array.from(keys).buffer)],
})

export interface KeyOfDevice {
  domain_id: number
  family: number
  key: number
  /** Null for a key that counts for no spread. */
  kind: number | null
}

/**
 * By how much the spreads grow: how many keys of a kind are one device's alone, or shared by just two.
 * @param counted each with how many devices have the key now, the added one included
 */
export function spreadGrowth(counted: readonly { of: KeyOfDevice; devices: number }[]): KeySpreadTable[] {
  const grown = new Map<string, KeySpreadTable>()
  for (const { of: key, devices } of counted) {
    const { domain_id, family, kind } = key
    if (kind === null || devices > 3) continue
    const name = `${domain_id} ${family} ${kind}`
    const growth = grown.get(name) ?? { domain_id, family, kind, once: 0, twice: 0 }
    grown.set(name, growth)
    if (devices === 1) growth.once += 1
    if (devices === 2) growth.once -= 1
    if (devices === 2) growth.twice += 1
    if (devices === 3) growth.twice -= 1
  }
  return [...grown.values()]
}

export interface ForgetOptions {
  /** Whether devices are forgotten that other identifications still name; they are met again as new ones. */
  evenIfSeenElsewhere: boolean
}

/** Removes what is remembered of devices: profiles, the keys that find them, and their former IDs. */
export async function forgetDevices(
  transaction: Kysely<Schema>,
  domainId: number,
  deviceIds: readonly Uint8Array[],
  { evenIfSeenElsewhere }: ForgetOptions,
): Promise<void> {
  for (const deviceId of deviceIds) {
    if (!evenIfSeenElsewhere && (await isSeen(transaction, domainId, deviceId))) continue
    const device = await transaction
      .selectFrom('devices')
      .select(['id', 'profile', 'keys'])
      .where('domain_id', '=', domainId)
      .where('device_id', '=', deviceId)
      .executeTakeFirst()
    if (!device) continue
    const profile = decodeProfile(device.profile, device.keys)
    const keys = [...profile.keys, ...profile.cookies.map(({ key }) => key)]
    // By the keys that it has: no index leads from a device to them.
    if (keys.length > 0)
      await transaction
        .deleteFrom('device_keys')
        .where('domain_id', '=', domainId)
        .where('key', 'in', keys)
        .where('device', '=', device.id)
        .execute()
    await transaction.deleteFrom('unlisted_keys').where('device', '=', device.id).execute()
    await transaction.deleteFrom('devices').where('id', '=', device.id).execute()
    await transaction
      .deleteFrom('device_aliases')
      .where('domain_id', '=', domainId)
      .where(({ or, eb }) => or([eb('device_id', '=', deviceId), eb('merged_into', '=', deviceId)]))
      .execute()
  }
}

async function isSeen(transaction: Kysely<Schema>, domainId: number, deviceId: Uint8Array): Promise<boolean> {
  const row = await transaction
    .selectFrom('identifications')
    .select('id')
    .where('domain_id', '=', domainId)
    .where('device_id', '=', deviceId)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
