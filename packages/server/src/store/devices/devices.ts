import { type DeviceNumber, type DeviceProfile, type KeyMatch, LISTED_MAX } from '../../visit/known-device.ts'
import type { KeySpreadTable } from '../device-tables.ts'

/** What both engines share about devices: the stored form of profiles and the arithmetic over keys. */

/** Columns of a profile. Its keys are half of it and would take twice the space as text, so they are stored as bytes. */
export const encodeProfile = ({
  keys,
  ...profile
}: DeviceProfile): { profile: string; keys: Uint8Array } => ({
  profile: JSON.stringify(profile),
  keys: new Uint8Array(Float64Array.from(keys).buffer),
})

export const decodeProfile = (profile: string, keys: Uint8Array): DeviceProfile => ({
  // Profiles of earlier releases lack these.
  mergedInto: undefined,
  fonts: undefined,
  settled: {},
  unsettled: {},
  ...(JSON.parse(profile) as Omit<DeviceProfile, 'keys' | 'mergedInto' | 'fonts' | 'settled' | 'unsettled'>),
  // Copied, because a Float64Array must start at a multiple of eight bytes. A `Buffer`
  // has a `slice` of its own that copies nothing.
  keys: Array.from(new Float64Array(Uint8Array.prototype.slice.call(keys).buffer)),
})

/** In place of a device that is gone, in a row that counts more devices than are listed. Devices have greater numbers. */
export const GONE = 0

/**
 * Combines what `device_keys` and `unlisted_keys` have for a key.
 * @param listed devices in `device_keys`, newest first, and how many had the key
 * @param unlisted the newest devices in `unlisted_keys`, newest first, and the number of rows
 */
export function combineMatch(
  key: number,
  listed: { devices: number; listed: readonly DeviceNumber[] },
  unlisted: { rows: number; newest: readonly DeviceNumber[] },
): KeyMatch {
  const distinct = [...new Set([...unlisted.newest, ...listed.listed])]
  // With all devices at hand they are counted exactly; a device may have a row in both tables.
  const isComplete = listed.listed.length === listed.devices && unlisted.rows <= LISTED_MAX
  const devices = isComplete ? distinct.length : listed.devices + unlisted.rows
  return { key, devices, listed: devices > LISTED_MAX ? distinct.slice(0, 1) : distinct }
}

/** A key that was just listed for a device. */
export interface ListedKey {
  domainId: number
  family: number
  /** Without a kind the key counts in no spread. */
  kind: number | null | undefined
  /** Number of devices with the key, including this one. */
  devices: number
}

/** Changes to `key_spreads`: how many keys of a kind belong to exactly one device, and how many to exactly two. */
export function spreadChanges(keys: readonly ListedKey[]): KeySpreadTable[] {
  const changes = new Map<string, KeySpreadTable>()
  for (const { domainId, family, kind, devices } of keys) {
    if (kind === null || kind === undefined || devices > 3) continue
    const name = `${domainId} ${family} ${kind}`
    const change = changes.get(name) ?? { domain_id: domainId, family, kind, once: 0, twice: 0 }
    changes.set(name, change)
    if (devices === 1) change.once += 1
    if (devices === 2) change.once -= 1
    if (devices === 2) change.twice += 1
    if (devices === 3) change.twice -= 1
  }
  return [...changes.values()]
}
