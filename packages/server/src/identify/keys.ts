import {
  type DeviceNumber,
  type DeviceProfile,
  type KeyMatch,
  LISTED_MAX,
  type NewKey,
} from '../visit/known-device.ts'
import type { ComponentName, Components } from './components.ts'
import { hash53 } from './hash53.ts'

/** Components that are looked up together. Any of these groups may have changed since the last visit. */
export const GROUPS = {
  machine: ['machine'],
  model: ['model'],
  gpu: ['gpu'],
  screen: ['screen'],
  // Noise hides both at once.
  drawing: ['canvas', 'audio'],
  fonts: ['fonts'],
} as const satisfies Record<string, readonly ComponentName[]>

export type GroupName = keyof typeof GROUPS
export const GROUP_NAMES = Object.keys(GROUPS) as GroupName[]

/** What a key is made of beside the groups: nothing, language and time zone, or where the visit came from. */
export type Context = 'none' | 'locale' | 'address' | 'prefix'

/** A key under which the devices are listed that have it. */
export interface Kind {
  name: string
  /** Groups that it leaves out; undefined when it is made of the context alone. */
  without: readonly GroupName[] | undefined
  context: Context
}

/** Pairs of groups that change together, or are hidden together, often enough to look a device up without both. */
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
  INDEX.get(kind(without && ordered(without), context).name)

const INDEX = new Map(KINDS.map(({ name }, index) => [name, index]))

/** As the list of pairs has them. */
const ordered = (groups: readonly GroupName[]): readonly GroupName[] =>
  PAIRS.find((pair) => pair.length === groups.length && groups.every((group) => pair.includes(group))) ??
  groups

/** Values of which it is only counted how many devices of a family have them. */
export const COUNTED = ['family', 'settings', 'zoom', 'version'] as const
export type Counted = (typeof COUNTED)[number]

export interface Keys {
  /** By kind; a kind of which a part is absent has none. */
  listed: ReadonlyMap<number, number>
  counted: Partial<Record<Counted, number>>
  /** Groups of which a part is absent. */
  absent: readonly GroupName[]
}

/**
 * Keys with the same facts in other contexts share their high bits, so that they lie side by side in the
 * database: to read or write one of a million devices' keys costs a page each otherwise.
 */
const HIGH = 2 ** 32
const LOW = 2 ** 21

export function keysOf(components: Components): Keys {
  const { family, values } = components
  const parts = groupParts(components)
  const contexts = contextParts(components)
  const absent = GROUP_NAMES.filter((group) => parts[group] === undefined)
  const listed = new Map<number, number>()
  const facts = new Map<string, number>()
  for (const [index, { name, without, context }] of KINDS.entries()) {
    const place = contexts[context]
    if (place === undefined || !applies(without, absent)) continue
    if (without) {
      const left = without.join(' ')
      const high = facts.get(left) ?? hash53(`${left} ${family} ${factsWithout(without, parts)}`) % HIGH
      facts.set(left, high)
      listed.set(index, high * LOW + (hash53(`${context} ${place}`) % LOW))
    } else listed.set(index, hash53(`${name} ${family} ${place}`))
  }
  const counted = {
    family: '',
    settings: values.settings,
    zoom: values.zoom,
    version: versionText(components),
  }
  return {
    listed,
    counted: Object.fromEntries(
      COUNTED.flatMap((name) =>
        counted[name] === undefined ? [] : [[name, hash53(`count ${name} ${family} ${counted[name]}`)]],
      ),
    ),
    absent,
  }
}

const factsWithout = (without: readonly GroupName[], parts: Record<GroupName, string | undefined>): string =>
  GROUP_NAMES.filter((group) => !without.includes(group))
    .map((group) => parts[group])
    .join(' ')

/** Only where the model is missing are pairs with it needed: then they are what leaving out one group is elsewhere. */
const applies = (without: Kind['without'], absent: readonly GroupName[]): boolean =>
  !without ||
  (absent.every((group) => without.includes(group)) &&
    (without.length < 2 || !without.includes('model') || absent.includes('model')))

export const cookieKey = (cookieId: string): number => hash53(`cookie ${cookieId}`)

const versionText = ({ version, systemVersion }: Components): string =>
  `${version.join('.')} ${systemVersion.join('.')}`

/** Undefined where a part of the group is absent. */
function groupParts({ values }: Components): Record<GroupName, string | undefined> {
  return Object.fromEntries(
    GROUP_NAMES.map((group) => {
      const parts = GROUPS[group].map((name) => values[name])
      return [group, parts.includes(undefined) ? undefined : parts.join(' ')]
    }),
  ) as Record<GroupName, string | undefined>
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
 * Keys that the device does not have yet.
 * @param cookie undefined where there is none, or where the device is found by it already
 */
export function newKeys(
  profile: DeviceProfile | undefined,
  keys: Keys,
  cookie: number | undefined,
): NewKey[] {
  const own = new Set(profile?.keys)
  return [
    ...(cookie === undefined ? [] : [{ key: cookie, kind: undefined, listed: true }]),
    ...[...keys.listed].flatMap(([index, key]) =>
      own.has(key) ? [] : [{ key, kind: KINDS[index]?.without ? index : undefined, listed: true }],
    ),
    ...Object.values(keys.counted).flatMap((key) =>
      own.has(key) ? [] : [{ key, kind: undefined, listed: false }],
    ),
  ]
}

/** The counts without a device that is in them itself. */
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

/** More candidates than this would cost time and tell nobody apart. */
const CANDIDATES_MAX = 20

/** Every key by which devices like the visit's are found or counted. */
export const allKeys = ({ listed, counted }: Keys): number[] => [
  ...listed.values(),
  ...Object.values(counted),
]

/** Devices under the keys that the fewest share, first. A key of a larger group would tell nobody apart. */
export function candidateNumbers({ listed }: Keys, matches: ReadonlyMap<number, KeyMatch>): DeviceNumber[] {
  const found = [...listed.values()]
    .flatMap((key) => matches.get(key) ?? [])
    .filter(({ devices }) => devices <= LISTED_MAX)
    .sort((a, b) => a.devices - b.devices)
  return [...new Set(found.flatMap((match) => match.listed))].slice(0, CANDIDATES_MAX)
}

/** The key of all that there is of the machine; undefined when that is too little. */
export const machineKey = ({ listed, absent }: Keys): number | undefined =>
  listed.get(kindIndex(absent, 'none') ?? -1)
