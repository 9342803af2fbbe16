import {
  type DeviceNumber,
  type DeviceProfile,
  type DeviceStore,
  type DeviceWrite,
  type KeySpread,
  LISTED_MAX,
} from '../visit/known-device.ts'

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
  /** False when a device that should be new is there already: nothing was written. */
  apply(write: DeviceWrite): boolean
}

/** Devices kept in memory alone, as relinking needs them. They behave as the database's do. */
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
      const own = number ?? domain.profiles.length
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

/** How many devices the key has with this one. */
function list(listings: Map<number, Listing>, key: number, device: DeviceNumber, most: number): number {
  const known = listings.get(key)
  const devices = (known?.devices ?? 0) + 1
  listings.set(key, { devices, listed: devices > most ? [device] : [device, ...(known?.listed ?? [])] })
  return devices
}

/** @param devices that have the key now, the added one included */
function grown({ once, twice }: KeySpread, devices: number): KeySpread {
  if (devices === 1) return { once: once + 1, twice }
  if (devices === 2) return { once: once - 1, twice: twice + 1 }
  return { once, twice: devices === 3 ? twice - 1 : twice }
}
