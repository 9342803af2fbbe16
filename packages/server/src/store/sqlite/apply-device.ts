import type { DatabaseSync } from 'node:sqlite'
import { type UuidBytes, uuidBytesOrNil } from '../../lib/uuid.ts'
import type { DeviceWrite } from '../../visit/known-device.ts'
import { encodeProfile } from '../device-profile.ts'
import type { Unlisted } from '../write-operation.ts'
import { encodeNewKeys } from './new-keys.ts'

interface EncodedProfile {
  deviceId: UuidBytes
  lastAt: number
  profile: string
  keys: Uint8Array
}

/** A device as it crosses to the writer thread. */
export interface EncodedDevice extends EncodedProfile {
  domainId: number
  family: number
  number: number | undefined
  newKeys: Uint8Array
  merged: (EncodedProfile & { number: number }) | undefined
}

export const encodeDevice = ({
  domainId,
  family,
  number,
  profile,
  keys,
  merged,
}: DeviceWrite): EncodedDevice => ({
  ...encoded(profile),
  domainId,
  family,
  number,
  newKeys: encodeNewKeys(keys),
  merged: merged && { ...encoded(merged.profile), number: merged.number },
})

const encoded = (profile: DeviceWrite['profile']): EncodedProfile => ({
  deviceId: uuidBytesOrNil(profile.deviceId),
  lastAt: profile.lastAtMs,
  ...encodeProfile(profile),
})

export interface ApplyDevice {
  /** Whether a device that should be new is there already. */
  isTaken(device: EncodedDevice): boolean
  /** What of it is to be listed; undefined where it has no new key. */
  apply(device: EncodedDevice): Unlisted | undefined
}

/** Part of the transaction that stores an identification. */
export function createApplyDevice(db: DatabaseSync): ApplyDevice {
  const find = db.prepare('select 1 from devices where domain_id = ? and device_id = ?')
  const add = db.prepare(
    'insert into devices (domain_id, device_id, last_at, profile, keys) values (?, ?, ?, ?, ?)',
  )
  const change = db.prepare(
    'update devices set last_at = ?, profile = ?, keys = ? where id = ? and domain_id = ?',
  )
  const alias = db.prepare(
    'insert or replace into device_aliases (domain_id, device_id, merged_into, created_at) values (?, ?, ?, ?)',
  )
  const addKeys = db.prepare(
    'insert into unlisted_keys (domain_id, family, device, keys) values (?, ?, ?, ?)',
  )

  return {
    isTaken: ({ domainId, number, deviceId }) =>
      number === undefined && find.get(domainId, deviceId) !== undefined,

    apply({ domainId, family, number, deviceId, lastAt, profile, keys, newKeys, merged }) {
      if (number !== undefined) change.run(lastAt, profile, keys, number, domainId)
      const device = number ?? Number(add.run(domainId, deviceId, lastAt, profile, keys).lastInsertRowid)
      if (merged) {
        change.run(merged.lastAt, merged.profile, merged.keys, merged.number, domainId)
        alias.run(domainId, merged.deviceId, deviceId, lastAt)
      }
      if (newKeys.length === 0) return undefined
      return { id: Number(addKeys.run(domainId, family, device, newKeys).lastInsertRowid), device }
    },
  }
}
