import type { Kysely } from 'kysely'
import { decodeProfile } from './device-profile.ts'
import type { Schema } from './schema.ts'

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
