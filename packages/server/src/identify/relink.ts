import {
  type DeviceNumber,
  type DeviceProfile,
  type DeviceStore,
  type DeviceWrite,
  type KeySpread,
  LISTED_MAX,
} from '../visit/known-device.ts'
import type { Visit } from './components.ts'
import { createLinker, TAKEN } from './linker.ts'

/** A stored visit and what History says of it. */
export interface StoredVisit {
  visit: Visit
  deviceId: string
}

export interface RelinkReport {
  visits: number
  /** Number of devices in History, and under the present rules. */
  devicesBefore: number
  devicesAfter: number
  /** Stored device IDs that would become one device. */
  merges: readonly (readonly string[])[]
  /** Stored device IDs that would become several devices, and how many. */
  splits: readonly { deviceId: string; devices: number }[]
}

/**
 * How the present rules would link stored visits. Changes nothing.
 * @param visits in order of time, without those that have nil identifiers
 */
export async function relink(
  visits: Iterable<StoredVisit> | AsyncIterable<StoredVisit>,
): Promise<RelinkReport> {
  const devices = memoryDevices()
  const linker = createLinker(devices)
  const before = new Map<string, Set<string>>()
  const after = new Map<string, Set<string>>()
  let count = 0
  for await (const { visit, deviceId } of visits) {
    const now = await linker.link(visit, ({ identity, write }) =>
      Promise.resolve(write && !devices.apply(write) ? TAKEN : identity.deviceId),
    )
    count += 1
    add(before, deviceId, now)
    add(after, now, deviceId)
  }
  return {
    visits: count,
    devicesBefore: before.size,
    devicesAfter: after.size,
    merges: [...after.values()].filter(({ size }) => size > 1).map((ids) => [...ids]),
    splits: [...before].flatMap(([deviceId, { size }]) => (size > 1 ? [{ deviceId, devices: size }] : [])),
  }
}

function add(sets: Map<string, Set<string>>, key: string, member: string): void {
  const known = sets.get(key)
  if (known) known.add(member)
  else sets.set(key, new Set([member]))
}

interface Listing {
  devices: number
  listed: DeviceNumber[]
}

interface DomainDevices {
  profiles: DeviceProfile[]
  ids: Set<string>
  listings: Map<number, Listing>
  spreads: Map<number, KeySpread[]>
}

export interface MemoryDevices extends DeviceStore {
  /** False, with nothing written, when the ID of a new device is already in use. */
  apply(write: DeviceWrite): boolean
}

/** A device store in memory that behaves like the database's. */
export function memoryDevices(): MemoryDevices {
  const domains = new Map<number, DomainDevices>()

  function domainOf(domainId: number): DomainDevices {
    const known = domains.get(domainId)
    if (known) return known
    const empty = { profiles: [], ids: new Set<string>(), listings: new Map(), spreads: new Map() }
    domains.set(domainId, empty)
    return empty
  }

  return {
    lookUp(domainId, keys) {
      const { listings } = domainOf(domainId)
      return Promise.resolve(
        keys.flatMap((key) => {
          const found = listings.get(key)
          return found ? [{ key, devices: found.devices, listed: found.listed }] : []
        }),
      )
    },
    devices(domainId, numbers) {
      const { profiles } = domainOf(domainId)
      return Promise.resolve(
        numbers.flatMap((number) => {
          const profile = profiles[number]
          return profile ? [{ number, profile }] : []
        }),
      )
    },
    spread: (domainId, family) => Promise.resolve(domainOf(domainId).spreads.get(family) ?? []),

    apply({ domainId, family, number, profile, keys, merged }) {
      const domain = domainOf(domainId)
      if (number === undefined && domain.ids.has(profile.deviceId)) return false
      // From 1, like the database's.
      const own = number ?? Math.max(1, domain.profiles.length)
      domain.profiles[own] = profile
      domain.ids.add(profile.deviceId)
      if (merged) domain.profiles[merged.number] = merged.profile
      const spreads = domain.spreads.get(family) ?? []
      domain.spreads.set(family, spreads)
      for (const { key, kind, listed } of keys) {
        const devices = list(domain.listings, key, own, listed ? LISTED_MAX : 1)
        if (kind !== undefined) spreads[kind] = grown(spreads[kind] ?? { once: 0, twice: 0 }, devices)
      }
      return true
    },
  }
}

/** Lists a device under a key and returns how many devices the key has now. */
function list(listings: Map<number, Listing>, key: number, device: DeviceNumber, most: number): number {
  const known = listings.get(key)
  const devices = (known?.devices ?? 0) + 1
  listings.set(key, { devices, listed: devices > most ? [device] : [device, ...(known?.listed ?? [])] })
  return devices
}

/** @param devices with this key, the added one included */
function grown({ once, twice }: KeySpread, devices: number): KeySpread {
  if (devices === 1) return { once: once + 1, twice }
  if (devices === 2) return { once: once - 1, twice: twice + 1 }
  return { once, twice: devices === 3 ? twice - 1 : twice }
}
