import type { Generated } from 'kysely'

/** What is remembered of devices. */
export interface DeviceTables {
  devices: DeviceTable
  device_keys: DeviceKeyTable
  key_spreads: KeySpreadTable
  device_aliases: DeviceAliasTable
  unlisted_keys: UnlistedKeysTable
  listing_run: ListingRunTable
}

export interface DeviceTable {
  /** The number by which keys name it. */
  id: Generated<number>
  domain_id: number
  device_id: Uint8Array
  last_at: number
  /** JSON of the profile, all but its keys. */
  profile: string
  /** The profile's keys, 64-bit floats. */
  keys: Uint8Array
}

/** The devices that have a key, or only the newest where they are many; the largest ordinal says how many. */
export interface DeviceKeyTable {
  domain_id: number
  key: number
  ordinal: number
  /** `devices.id` */
  device: number
}

/** How many keys of a kind are one device's alone, and how many are shared by just two. */
export interface KeySpreadTable {
  domain_id: number
  /** Key of a system and browser. */
  family: number
  kind: number
  once: number
  twice: number
}

/** A device ID that proved to be another name of a device. History keeps what it said. */
export interface DeviceAliasTable {
  domain_id: number
  device_id: Uint8Array
  merged_into: Uint8Array
  created_at: number
}

/** Keys of a device that are to be listed in `device_keys`. */
export interface UnlistedKeysTable {
  id: Generated<number>
  domain_id: number
  /** Key of a system and browser, under which spreads are kept. */
  family: number
  /** `devices.id` */
  device: number
  /** Key, kind and whether it is listed, in turn; 64-bit floats. */
  keys: Uint8Array
}

/** How far the keys of the rows up to `through` are listed, in the order of domain and key; no row between two runs. */
export interface ListingRunTable {
  id: number
  through: number
  domain_id: number
  key: number
}
