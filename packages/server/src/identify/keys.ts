import { hash53 } from '../lib/hash53.ts'
import {
  type DeviceNumber,
  type DeviceProfile,
  type KeyMatch,
  LISTED_MAX,
  type NewKey,
} from '../visit/known-device.ts'
import type { ComponentName, Components } from './components.ts'

/** Components that are looked up together. Any of these groups may have changed since the last visit. */
export const GROUPS = {
  machine: ['machine'],
  model: ['model'],
  gpu: ['gpu'],
  screen: ['screen'],
  // Noise protection hides both together.
  drawing: ['raster', 'waveform'],
  fonts: ['typefaces'],
} as const satisfies Record<string, readonly ComponentName[]>

export type GroupName = keyof typeof GROUPS
export const GROUP_NAMES = Object.keys(GROUPS) as GroupName[]

/** What a key adds to the groups: nothing, languages and time zone, or where the visit came from. */
export type Context = 'none' | 'locale' | 'address' | 'prefix'

/** A kind of key. Devices that share a key are listed under it. */
export interface Kind {
  name: string
  /** Groups that it leaves out; undefined when it consists of the context alone. */
  without: readonly GroupName[] | undefined
  context: Context
}

/** A bit for each group. */
const bitsOf = (groups: readonly GroupName[]): number =>
  groups.reduce((bits, group) => bits | (1 << GROUP_NAMES.indexOf(group)), 0)

const MODEL_BIT = bitsOf(['model'])

/** Pairs of groups that often change or are hidden together: devices are also looked up without both. */
const PAIRS: readonly (readonly [GroupName, GroupName])[] = [
  ['drawing', 'fonts'],
  ['drawing', 'screen'],
  ['drawing', 'gpu'],
  ['gpu', 'screen'],
  ['fonts', 'screen'],
  ['gpu', 'fonts'],
  ['model', 'machine'],
  ['model', 'gpu'],
  ['model', 'screen'],
  ['model', 'drawing'],
  ['model', 'fonts'],
]

const kind = (without: Kind['without'], context: Context): Kind => ({
  name: [...(without ? ['all', ...without.map((group) => `-${group}`)] : []), context].join(' '),
  without,
  context,
})

/** The order is stored with the spreads: new kinds go to the end. */
export const KINDS: readonly Kind[] = [
  kind([], 'none'),
  kind([], 'locale'),
  kind([], 'address'),
  kind([], 'prefix'),
  kind(undefined, 'address'),
  kind(undefined, 'prefix'),
  ...GROUP_NAMES.flatMap((group) => [kind([group], 'none'), kind([group], 'locale')]),
  ...PAIRS.flatMap((pair) => [kind(pair, 'none'), kind(pair, 'locale')]),
]

/** The kind without these groups in this context; undefined where there is none. */
export const kindIndex = (without: readonly GroupName[] | undefined, context: Context): number | undefined =>
  INDEX[context][without ? bitsOf(without) : CONTEXT_ALONE]

/** Where a kind without any groups stands. */
const CONTEXT_ALONE = 1 << GROUP_NAMES.length

/** Each context's kinds, by the bits of the groups that they leave out. */
const INDEX: Record<Context, (number | undefined)[]> = { none: [], locale: [], address: [], prefix: [] }
for (const [index, { without, context }] of KINDS.entries())
  INDEX[context][without ? bitsOf(without) : CONTEXT_ALONE] = index

/** The kinds with what their keys are made of. */
const KEYED = KINDS.map(({ name, without, context }, index) => ({
  index,
  context,
  left: without
    ? {
        bits: bitsOf(without),
        text: without.join(' '),
        others: GROUP_NAMES.filter((group) => !without.includes(group)),
      }
    : undefined,
  name,
}))

/** Values for which only the number of devices of a family is counted. */
const COUNTED = ['family', 'settings', 'zoom', 'version'] as const

export interface Keys {
  /** By kind; a kind with an absent part has no key. */
  listed: ReadonlyMap<number, number>
  counted: Partial<Record<(typeof COUNTED)[number], number>>
  /** Groups with an absent part. */
  absent: readonly GroupName[]
}

/**
 * Keys with the same facts and different contexts share their high bits, so that they are neighbours in the
 * database's index. Otherwise each key of a large table would cost a page of its own to read or write.
 */
const HIGH = 2 ** 32
const LOW = 2 ** 21

export function keysOf(components: Components): Keys {
  const { family } = components
  const parts = groupParts(components)
  const contexts = contextParts(components)
  const absent = GROUP_NAMES.filter((group) => parts[group] === undefined)
  const absentBits = bitsOf(absent)
  const places: Partial<Record<Context, number>> = {}
  const listed = new Map<number, number>()
  /** Of the kind before, which often leaves out the same groups. */
  let before = { bits: -1, high: 0 }
  for (const { index, name, left, context } of KEYED) {
    const place = contexts[context]
    if (place === undefined || (left && !applies(left.bits, absentBits))) continue
    if (left) {
      if (before.bits !== left.bits) {
        const facts = left.others.map((group) => parts[group]).join(' ')
        before = { bits: left.bits, high: hash53(`${left.text} ${family} ${facts}`) % HIGH }
      }
      places[context] ??= hash53(`${context} ${place}`) % LOW
      listed.set(index, before.high * LOW + places[context])
    } else listed.set(index, hash53(`${name} ${family} ${place}`))
  }
  return { listed, counted: countedKeys(components), absent }
}

function countedKeys(components: Components): Keys['counted'] {
  const { family, values } = components
  const texts = {
    family: '',
    settings: values.settings,
    zoom: values.zoom,
    version: versionText(components),
  }
  const counted: Keys['counted'] = {}
  for (const name of COUNTED)
    if (texts[name] !== undefined) counted[name] = hash53(`count ${name} ${family} ${texts[name]}`)
  return counted
}

/** Pairs with the model are needed only where the model is absent; elsewhere leaving out one group does the same. */
const applies = (left: number, absent: number): boolean =>
  (absent & ~left) === 0 && ((left & MODEL_BIT) === 0 || left === MODEL_BIT || (absent & MODEL_BIT) !== 0)

const versionText = ({ version, systemVersion }: Components): string =>
  `${version.join('.')} ${systemVersion.join('.')}`

/** Each group's values as text; undefined where a part is absent. */
function groupParts({ values }: Components): Record<GroupName, string | undefined> {
  const text = (group: GroupName): string | undefined => {
    const parts = GROUPS[group].map((name) => values[name])
    return parts.includes(undefined) ? undefined : parts.join(' ')
  }
  return {
    machine: text('machine'),
    model: text('model'),
    gpu: text('gpu'),
    screen: text('screen'),
    drawing: text('drawing'),
    fonts: text('fonts'),
  }
}

function contextParts({ values }: Components): Record<Context, string | number | undefined> {
  const { timezone, languages, address, prefix } = values
  return {
    none: '',
    locale: timezone === undefined ? undefined : `${timezone} ${languages ?? ''}`,
    address,
    prefix,
  }
}

/**
 * The keys that the device is not listed under yet.
 * @param ties the cookie and the browser's key, without those that the device is already listed under
 */
export function newKeys(
  profile: DeviceProfile | undefined,
  keys: Keys,
  ties: readonly (number | undefined)[],
): NewKey[] {
  const own = new Set(profile?.keys)
  return [
    ...ties.flatMap((key) => (key === undefined ? [] : [{ key, kind: undefined, listed: true }])),
    ...[...keys.listed].flatMap(([index, key]) =>
      own.has(key) ? [] : [{ key, kind: KINDS[index]?.without ? index : undefined, listed: true }],
    ),
    ...Object.values(keys.counted).flatMap((key) =>
      own.has(key) ? [] : [{ key, kind: undefined, listed: false }],
    ),
  ]
}

/** The matches, with the device itself taken out of the counts. */
export function withoutItself(
  matches: ReadonlyMap<number, KeyMatch>,
  { keys }: DeviceProfile,
): ReadonlyMap<number, KeyMatch> {
  const own = new Set(keys)
  return new Map(
    [...matches].map(([key, match]) => [
      key,
      own.has(key) ? { ...match, devices: match.devices - 1 } : match,
    ]),
  )
}

/** Comparing more would take time and could not tell them apart. */
const CANDIDATES_MAX = 20

/** Every key by which devices that look like the visit are found or counted. */
export const allKeys = ({ listed, counted }: Keys): number[] => [
  ...listed.values(),
  ...Object.values(counted),
]

/** Devices under the visit's keys, those under the rarest keys first. Keys of large groups distinguish nobody. */
export function candidateNumbers({ listed }: Keys, matches: ReadonlyMap<number, KeyMatch>): DeviceNumber[] {
  const found = [...listed.values()]
    .flatMap((key) => matches.get(key) ?? [])
    .filter(({ devices }) => devices <= LISTED_MAX)
    .sort((a, b) => a.devices - b.devices)
  return [...new Set(found.flatMap((match) => match.listed))].slice(0, CANDIDATES_MAX)
}

/** The key of all groups that are present; undefined when they are too few. */
export const machineKey = ({ listed, absent }: Keys): number | undefined =>
  listed.get(kindIndex(absent, 'none') ?? -1)
