/** Shapes of what is remembered of devices; `identify` decides by them and `store` keeps them. */

/** Under a key that more devices have only the newest is listed: it would tell nobody apart. */
export const LISTED_MAX = 16

/** The number by which a store finds a device; it means nothing outside. */
export type DeviceNumber = number

/** A cookie that a device was seen with. */
export interface KnownCookie {
  /** Hash of its ID. */
  key: number
  firstAtMs: number
  lastAtMs: number
  visits: number
  /** Hash of the languages beside it; undefined once they differed. */
  languages: number | undefined
  /** First number of the browser's version at its last visit. */
  browserMajor: number | undefined
  visitorId: string
  /** Hashes of the addresses that it came from, newest first. */
  addresses: readonly number[]
}

/** What is known of a device. It follows its browser from visit to visit. Values are hashes. */
export interface DeviceProfile {
  deviceId: string
  visitorId: string
  /** The device that this one proved to be. */
  mergedInto: DeviceNumber | undefined
  /** System and browser. */
  family: string
  firstAtMs: number
  lastAtMs: number
  visits: number
  /** By component, as of the last visit that had it. */
  values: Readonly<Record<string, number>>
  /** What components were before, newest first. */
  earlier: Readonly<Record<string, readonly number[]>>
  /** Of the names of its fonts, 16 bits each. */
  fonts: readonly number[] | undefined
  version: readonly number[]
  systemVersion: readonly number[]
  /** Newest first. */
  cookies: readonly KnownCookie[]
  /** Whether its last visit brought no cookie along. */
  cookieless: boolean
  /** The newest of the keys under which it is listed or counted, last used first. */
  keys: readonly number[]
}

export interface KnownDevice {
  number: DeviceNumber
  profile: DeviceProfile
}

export interface KeyMatch {
  key: number
  /** How many devices of the domain came to have it. */
  devices: number
  /** All of them, newest first; only the newest where there are more than `LISTED_MAX`. */
  listed: readonly DeviceNumber[]
}

/** How many keys of a kind are one device's alone, and how many are shared by just two. */
export interface KeySpread {
  once: number
  twice: number
}

/** What the linker asks of the devices of one domain. */
export interface DeviceStore {
  /** Keys that nobody has are left out. */
  lookUp(domainId: number, keys: readonly number[]): Promise<KeyMatch[]>
  devices(domainId: number, numbers: readonly DeviceNumber[]): Promise<KnownDevice[]>
  /** By kind of key, for the family with this key. */
  spread(domainId: number, family: number): Promise<readonly (KeySpread | undefined)[]>
}

export interface NewKey {
  key: number
  /** Index of the kind whose spread it counts for; undefined for the others. */
  kind: number | undefined
  /** Whether the device is to be found by it; otherwise devices are only counted. */
  listed: boolean
}

/** What is to be committed with an identification. */
export interface DeviceWrite {
  domainId: number
  /** Key of the family, under which spreads are kept. */
  family: number
  /** Undefined for a new device: should its ID be taken, nothing is written and the visit is linked again. */
  number: DeviceNumber | undefined
  profile: DeviceProfile
  keys: readonly NewKey[]
  /** A device that proved to be this one: its ID stands for this device from now on. */
  merged: KnownDevice | undefined
}
