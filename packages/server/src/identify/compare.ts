import { DAY_MS } from '../lib/durations.ts'
import type { DeviceProfile } from '../visit/known-device.ts'
import { COMPONENTS, type ComponentName, type Components } from './components.ts'
import { GROUP_NAMES, GROUPS, type GroupName } from './keys.ts'

/** How a component compares with what the device showed before. */
export type Change = 'same' | 'earlier' | 'changed' | 'absent'

export const agrees = (change: Change): boolean => change === 'same' || change === 'earlier'

export interface Comparison {
  changes: Partial<Record<ComponentName, Change>>
  groups: Record<GroupName, Change>
  locale: Change
  address: Change
  prefix: Change
  /** Of the browser's version and the system's: either one older makes it `older`. */
  version: 'same' | 'newer' | 'older' | 'absent'
  days: number
}

export function compare(profile: DeviceProfile, components: Components, atMs: number): Comparison {
  const changes: Comparison['changes'] = {}
  for (const name of Object.keys(components.values) as ComponentName[])
    changes[name] = changeOf(profile, components, name)
  // Firefox draws text at the page's zoom, so drawings at two zooms cannot be compared.
  if (changes.zoom === 'changed' && changes.raster === 'changed' && isFirefox(components))
    changes.raster = 'absent'
  const all = (names: readonly ComponentName[]): Change =>
    worst(names.map((name) => changes[name] ?? 'absent'))
  return {
    changes,
    groups: Object.fromEntries(
      GROUP_NAMES.map((group) => [group, all(GROUPS[group])]),
    ) as Comparison['groups'],
    locale: all(['timezone', 'languages']),
    address: changes.address ?? 'absent',
    prefix: changes.prefix ?? 'absent',
    version: versionChange(profile, components),
    days: Math.max(0, atMs - profile.lastAtMs) / DAY_MS,
  }
}

const isFirefox = ({ family }: Components): boolean => family.endsWith(' Firefox')

function changeOf(profile: DeviceProfile, { values }: Components, name: ComponentName): Change {
  const now = values[name]
  const before = profile.values[name]
  if (now === undefined || before === undefined) return 'absent'
  if (now === before) return 'same'
  return profile.earlier[name]?.includes(now) ? 'earlier' : 'changed'
}

const WORSE: readonly Change[] = ['same', 'earlier', 'absent', 'changed']
const worst = (changes: readonly Change[]): Change =>
  changes.reduce((bad, change) => (WORSE.indexOf(change) > WORSE.indexOf(bad) ? change : bad), 'same')

function versionChange(profile: DeviceProfile, components: Components): Comparison['version'] {
  const order = compareNumbers(profile.version, components.version)
  const systems = compareNumbers(profile.systemVersion, components.systemVersion)
  if (order === undefined && systems === undefined) return 'absent'
  if ((order ?? 0) > 0 || (systems ?? 0) > 0) return 'older'
  return (order ?? 0) < 0 || (systems ?? 0) < 0 ? 'newer' : 'same'
}

/** Negative when the first is lower; undefined when either is unknown. */
function compareNumbers(before: readonly number[], now: readonly number[]): number | undefined {
  // One may have fewer parts, as on a page without client hints. Only the parts that both have count.
  const length = Math.min(before.length, now.length)
  if (length === 0) return undefined
  for (let index = 0; index < length; index++) {
    const difference = (before[index] ?? 0) - (now[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/** Hardware that a machine keeps for life. A screen comes and goes with a dock, so it is not among them. */
export const FOR_LIFE = (Object.keys(COMPONENTS) as ComponentName[]).filter(
  (name) => COMPONENTS[name].class === 'hardware' && name !== 'screen',
)

/** From so many at once, the cookie was copied to another machine or the browser lies about this one. */
const OTHER_MACHINE_MIN = 2

/** Hardware that differs from what the device showed before. */
export const hardwareFlips = (comparison: Comparison): ComponentName[] =>
  FOR_LIFE.filter((name) => comparison.changes[name] === 'changed')

/** What a visit with a known cookie shows of the hardware of the device that the cookie was given to. */
export interface Possession {
  /** Hardware that differs from the settled values, be it since this visit or since a few. */
  flips: readonly ComponentName[]
  /** `same`: the cookie's machine; `doubtful`: its own network, other hardware; `other`: another machine. */
  machine: 'same' | 'doubtful' | 'other'
  /** Those of the flips that the device never showed. */
  newFlips: readonly ComponentName[]
  /** Whether the cookie came from this address before. */
  isAtHome: boolean
  /** Another system or browser. */
  isOtherFamily: boolean
}

/**
 * Whether a known cookie is on the machine that it was given to. What a thief leaves out counts like what differs,
 * and what differed a few visits ago still counts, so that no profile can be changed bit by bit. From the cookie's
 * own address other hardware is a browser that lies, and no other machine: it is told, but makes no device.
 */
export function possession(
  profile: DeviceProfile,
  components: Components,
  comparison: Comparison,
  cookie: number | undefined,
): Possession {
  const { values, family } = components
  const flips = FOR_LIFE.filter((name) => {
    const [now, settled] = [values[name], profile.settled[name] ?? profile.values[name]]
    return now !== undefined && settled !== undefined && now !== settled
  })
  const { address } = values
  const own = profile.cookies.find(({ key }) => key === cookie)
  const isAtHome = address !== undefined && own?.addresses.includes(address) === true
  const newFlips = flips.filter((name) => comparison.changes[name] === 'changed')
  const found = { flips, newFlips, isAtHome, isOtherFamily: profile.family !== family }
  if (found.isOtherFamily) {
    const agreeing = GROUP_NAMES.filter((group) => agrees(comparison.groups[group]))
    return { ...found, machine: flips.length > 0 || agreeing.length < OTHER_MACHINE_MIN ? 'other' : 'same' }
  }
  const missing = FOR_LIFE.filter((name) => values[name] === undefined && profile.values[name] !== undefined)
  if (isAtHome) return { ...found, machine: flips.length >= OTHER_MACHINE_MIN ? 'doubtful' : 'same' }
  return { ...found, machine: flips.length + missing.length >= OTHER_MACHINE_MIN ? 'other' : 'same' }
}
