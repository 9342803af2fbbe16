import type { DeviceProfile } from '../visit/known-device.ts'
import type { ComponentName, Components } from './components.ts'
import { type Context, GROUP_NAMES, GROUPS, type GroupName } from './keys.ts'

/** What became of a component since the device was last seen. */
export type Change = 'same' | 'earlier' | 'changed' | 'absent'

export const agrees = (change: Change): boolean => change === 'same' || change === 'earlier'

export interface Comparison {
  changes: Partial<Record<ComponentName, Change>>
  groups: Record<GroupName, Change>
  locale: Change
  address: Change
  prefix: Change
  /** The browser's version, then the system's: a browser seldom goes back. */
  version: 'same' | 'newer' | 'older' | 'absent'
  days: number
}

const DAY_MS = 86_400_000

export function compare(profile: DeviceProfile, components: Components, atMs: number): Comparison {
  const changes: Comparison['changes'] = {}
  for (const name of Object.keys(components.values) as ComponentName[])
    changes[name] = changeOf(profile, components, name)
  // Firefox draws letters by the page's zoom, so that two zooms cannot be compared.
  if (changes.zoom === 'changed' && changes.canvas === 'changed' && isFirefox(components))
    changes.canvas = 'absent'
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

/** Less than 0 when the first is lower; undefined when one of them is unknown. */
function compareNumbers(before: readonly number[], now: readonly number[]): number | undefined {
  // One of them may say less, such as a page without client hints: only what both say counts.
  const length = Math.min(before.length, now.length)
  if (length === 0) return undefined
  for (let index = 0; index < length; index++) {
    const difference = (before[index] ?? 0) - (now[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}

/**
 * How likely the device would be seen like this, were it the same one.
 * @param differing groups that do not agree
 * @param context what the agreement to be explained is counted by
 */
export function likelihood(
  comparison: Comparison,
  profile: DeviceProfile,
  components: Components,
  differing: readonly GroupName[],
  context: Context,
): number {
  return (
    differing.reduce((product, group) => product * groupRate(group, comparison, profile, components), 1) *
    contextRate(context, comparison) *
    versionRate(comparison) *
    engineRate(comparison) *
    recencyRate(comparison)
  )
}

/** Visits come in bursts, and who stayed away for months seldom comes back. */
const recencyRate = ({ days }: Comparison): number => (1 + 3 * Math.exp(-days / 0.1)) / (1 + days / 45)

/** How often a group of components changes between a visit and the next that lost its cookie. */
function groupRate(
  group: GroupName,
  comparison: Comparison,
  profile: DeviceProfile,
  components: Components,
): number {
  if (comparison.groups[group] === 'absent') return 0.7
  if (group === 'drawing') return comparison.version === 'newer' ? 0.25 : 0.03
  if (group === 'screen') return isPhone(components) ? 0.01 : 0.12
  if (group === 'fonts') return fontRate(profile.fonts, components.fonts)
  if (group === 'gpu') return 0.01
  return 0.004
}

export const isPhone = ({ family }: Components): boolean =>
  family.startsWith('Android') || family.startsWith('IOS')

/** Programs bring some fonts or take them away; a private window may hide most. */
function fontRate(before: readonly number[] | undefined, now: readonly number[] | undefined): number {
  if (!before || !now) return 0.7
  const added = now.filter((font) => !before.includes(font)).length
  const removed = before.filter((font) => !now.includes(font)).length
  if (added > 0 && removed > 0) return added + removed <= 2 ? 0.01 : 0.003
  if (removed > 0) return removed <= 10 ? 0.015 : 0.03
  return added <= 2 ? 0.06 : added <= 12 ? 0.05 : 0.01
}

function contextRate(context: Context, { locale, address, prefix }: Comparison): number {
  const here = agrees(address)
  const near = agrees(prefix)
  const where = context === 'address' ? 0.5 : context === 'prefix' ? 0.6 : here || near ? 0.7 : 0.4
  const localeRate =
    context === 'locale' || locale === 'absent'
      ? 0.9
      : agrees(locale)
        ? 0.9
        : context === 'address'
          ? 0.4
          : 0.12
  return where * localeRate
}

function versionRate({ version, days }: Comparison): number {
  if (version === 'older') return 0.05
  if (version === 'newer') return 0.3 + 0.7 * (1 - Math.exp(-days / 20))
  return version === 'same' ? 0.5 + 0.5 * Math.exp(-days / 20) : 1
}

/** The rest of the engine changes with its version, or not at all. */
function engineRate({ changes, version }: Comparison): number {
  const rate = (change: Change | undefined) => (change === 'changed' ? (version === 'newer' ? 0.6 : 0.1) : 1)
  return rate(changes.limits) * rate(changes.math)
}
