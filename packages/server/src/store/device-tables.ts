import type { Generated } from 'kysely'

// Tables of devices and of the keys by which they are found.

export interface DeviceTable {
  /** The device's number in `device_keys`. */
  id: Generated<number>
  domain_id: number
  device_id: Uint8Array
  last_at: number
  /** JSON of the profile without its keys. */
  profile: string
  /** The profile's keys as 64-bit floats. */
  keys: Uint8Array
}

/** The devices with a key; of a key with many devices only the newest. The largest ordinal is their number. */
export interface DeviceKeyTable {
  domain_id: number
  key: number
  ordinal: number
  /**
   * `devices.id`. Where that device is gone and the row counts more devices than are listed, `GONE`, and from the next
   * sweep on the month before it: -680 in the 680th since 1970.
   */
  device: number
}

/** How many keys of a kind belong to exactly one device, and how many to exactly two. */
export interface KeySpreadTable {
  domain_id: number
  /** Key of a system and browser. */
  family: number
  kind: number
  once: number
  twice: number
}

/** The ID of a device that was merged into another one. Identifications keep the old ID. */
export interface DeviceAliasTable {
  domain_id: number
  device_id: Uint8Array
  merged_into: Uint8Array
  created_at: number
}

/** Keys of a device that are not in `device_keys` yet. */
export interface UnlistedKeysTable {
  id: Generated<number>
  domain_id: number
  /** Key of a system and browser, for `key_spreads`. */
  family: number
  /** `devices.id` */
  device: number
  /** Triples of key, kind and whether it is listed, as 64-bit floats. */
  keys: Uint8Array
}

/** At most one row: until then the keys of devices that are gone were removed, a part of all keys for each part of a day. */
export interface KeySweepTable {
  id: number
  swept_at: number
}

/** At most one row: the run that lists the rows up to `through` has reached this domain and key. */
export interface ListingRunTable {
  id: number
  through: number
  domain_id: number
  key: number
}
