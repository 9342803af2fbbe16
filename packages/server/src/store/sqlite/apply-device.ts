import type { DatabaseSync } from 'node:sqlite'
import { type DeviceWrite, LISTED_MAX } from '../../known-device.ts'
import { type UuidBytes, uuidBytesOrNil } from '../../lib/uuid.ts'
import { encodeProfile } from '../devices.ts'

/** Of keys that count for no spread. */
const NO_KIND = -1

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
  /** Key, kind and whether it is listed, in turn: half a hundred objects would cost more to copy than all the rest. */
  newKeys: Float64Array
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
  newKeys: Float64Array.from(keys.flatMap(({ key, kind, listed }) => [key, kind ?? NO_KIND, listed ? 1 : 0])),
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
  apply(device: EncodedDevice): void
  /** Writes how the spreads grew; once for all devices of a transaction, before it is committed. */
  writeSpreads(): void
  /** After a transaction that was rolled back. */
  forgetSpreads(): void
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
  const last = db.prepare('select max(ordinal) as ordinal from device_keys where domain_id = ? and key = ?')
  const addKey = db.prepare('insert into device_keys (domain_id, key, ordinal, device) values (?, ?, ?, ?)')
  const cutKey = db.prepare('delete from device_keys where domain_id = ? and key = ? and ordinal <= ?')
  const alias = db.prepare(
    'insert or replace into device_aliases (domain_id, device_id, merged_into, created_at) values (?, ?, ?, ?)',
  )
  const spread = db.prepare(
    `insert into key_spreads (domain_id, family, kind, once, twice) values (?, ?, ?, ?, ?)
     on conflict do update set once = once + excluded.once, twice = twice + excluded.twice`,
  )
  const grown = new Map<string, { place: [number, number, number]; once: number; twice: number }>()

  /** How many devices the key has with this one. */
  function list(domainId: number, key: number, listed: boolean, device: number | bigint): number {
    const ordinal = Number(last.get(domainId, key)?.ordinal ?? 0) + 1
    addKey.run(domainId, key, ordinal, device)
    if (ordinal > (listed ? LISTED_MAX : 1)) cutKey.run(domainId, key, ordinal - 1)
    return ordinal
  }

  function grow(domainId: number, family: number, kind: number, devices: number): void {
    if (devices > 3) return
    const name = `${domainId} ${family} ${kind}`
    const growth = grown.get(name) ?? { place: [domainId, family, kind], once: 0, twice: 0 }
    grown.set(name, growth)
    if (devices === 1) growth.once += 1
    if (devices === 2) growth.once -= 1
    if (devices === 2) growth.twice += 1
    if (devices === 3) growth.twice -= 1
  }

  return {
    isTaken: ({ domainId, number, deviceId }) =>
      number === undefined && find.get(domainId, deviceId) !== undefined,

    apply({ domainId, family, number, deviceId, lastAt, profile, keys, newKeys, merged }) {
      if (number !== undefined) change.run(lastAt, profile, keys, number, domainId)
      const own = number ?? add.run(domainId, deviceId, lastAt, profile, keys).lastInsertRowid
      if (merged) {
        change.run(merged.lastAt, merged.profile, merged.keys, merged.number, domainId)
        alias.run(domainId, merged.deviceId, deviceId, lastAt)
      }
      for (let index = 0; index < newKeys.length; index += 3) {
        const [key = 0, kind = NO_KIND, listed = 0] = newKeys.subarray(index, index + 3)
        const devices = list(domainId, key, listed === 1, own)
        if (kind !== NO_KIND) grow(domainId, family, kind, devices)
      }
    },

    writeSpreads() {
      for (const { place, once, twice } of grown.values()) spread.run(...place, once, twice)
      grown.clear()
    },
    forgetSpreads: () => grown.clear(),
  }
}
