import type { Visit } from './components.ts'
import { createLinker, TAKEN } from './linker.ts'
import { memoryDevices } from './memory-devices.ts'

/** A stored visit and what History says of it. */
export interface StoredVisit {
  visit: Visit
  deviceId: string
}

export interface RelinkReport {
  visits: number
  /** Devices as History has them, and as the present rules would have them. */
  devicesBefore: number
  devicesAfter: number
  /** Stored device IDs that would become one. */
  merges: readonly (readonly string[])[]
  /** Stored device IDs whose visits would be those of several devices, and of how many. */
  splits: readonly { deviceId: string; devices: number }[]
}

/**
 * What the present rules would make of stored visits, without changing anything.
 * @param visits in the order of time; those with nil identifiers left out
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
