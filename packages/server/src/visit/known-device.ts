import { hash53 } from '../lib/hash53.ts'

/** What is stored about devices. `identify` decides by it, `store` keeps it. */

/** A key with more devices than this lists only the newest one, because it distinguishes nobody. */
export const LISTED_MAX = 16

/** A store's own number for a device; it never leaves the server. */
export type DeviceNumber = number

/** The key under which a device is listed for a cookie. */
export const cookieKey = (cookieId: string): number => hash53(`cookie ${cookieId}`)

/** A cookie that came from a device. */
export interface KnownCookie {
  /** Hash of its ID. */
  key: number
  firstAtMs: number
  lastAtMs: number
  visits: number
  /** Hash of the languages that came with it; undefined once they differed. */
  languages: number | undefined
  /** First number of the browser's version at its last visit. */
  browserMajor: number | undefined
  visitorId: string
  /** Hashes of the addresses that it came from, newest first. */
  addresses: readonly number[]
  /** Whether it is a private window's; undefined where nothing shows it. */
  isPrivate?: boolean | undefined
  /** Hashes of the key pairs that browsers proved with it, the last one first. */
  deviceKeys?: readonly number[] | undefined
  /** Whether it came to the device by its look alone, so that it may be an imitator's. */
  isByLook?: true | undefined
}

/** Another value of a component that a machine keeps for life, which has not replaced the settled one yet. */
interface Unsettled {
  value: number
  firstAtMs: number
  visits: number
}

/** What is known about a device, updated with each visit. Values are hashes. */
export interface DeviceProfile {
  deviceId: string
  visitorId: string
  /** The device that this one was merged into. */
  mergedInto: DeviceNumber | undefined
  /** System and browser. */
  family: string
  firstAtMs: number
  lastAtMs: number
  visits: number
  /** By component, as of the last visit that had it. */
  values: Readonly<Record<string, number>>
  /** Earlier values of components, newest first. */
  earlier: Readonly<Record<string, readonly number[]>>
  /** Values of hardware that a machine keeps for life. A change counts against them until it has lasted. */
  settled: Readonly<Record<string, number>>
  unsettled: Readonly<Record<string, Unsettled>>
  /** 16 bits of the hash of each font's name. */
  fonts: readonly number[] | undefined
  version: readonly number[]
  systemVersion: readonly number[]
  /** Newest first. */
  cookies: readonly KnownCookie[]
  /** Whether its last visit had no cookie. */
  cookieless: boolean
  /** Keys under which it is listed or counted, last used first; the oldest are dropped. */
  keys: readonly number[]
}

export interface KnownDevice {
  number: DeviceNumber
  profile: DeviceProfile
}

export interface KeyMatch {
  key: number
  /** Number of the domain's devices with this key. */
  devices: number
  /** All of them, newest first; only the newest one of more than `LISTED_MAX`, or none if it is gone. */
  listed: readonly DeviceNumber[]
}

/** How many keys of a kind belong to exactly one device, and how many to exactly two. */
export interface KeySpread {
  once: number
  twice: number
}

/** The linker's view of the devices in the store. */
export interface DeviceStore {
  /** Keys without a device are left out. */
  lookUp(domainId: number, keys: readonly number[]): Promise<KeyMatch[]>
  devices(domainId: number, numbers: readonly DeviceNumber[]): Promise<KnownDevice[]>
  /** By kind, for the family with this key. */
  spread(domainId: number, family: number): Promise<readonly (KeySpread | undefined)[]>
}

export interface NewKey {
  key: number
  /** Index of the kind whose spread it counts in; undefined for keys that are in no spread. */
  kind: number | undefined
  /** Whether devices are listed under it; otherwise they are only counted. */
  listed: boolean
}

/** The change to a device that is committed with an identification. */
export interface DeviceWrite {
  domainId: number
  /** Key of the family, by which spreads are stored. */
  family: number
  /** Undefined for a new device. If its ID is already in use, nothing is written and the visit is linked again. */
  number: DeviceNumber | undefined
  profile: DeviceProfile
  keys: readonly NewKey[]
  /** A device that is merged into this one; its ID becomes an alias. */
  merged: KnownDevice | undefined
}
