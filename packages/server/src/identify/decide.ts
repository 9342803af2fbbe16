import { type KeyMatch, type KeySpread, type KnownDevice, LISTED_MAX } from '../visit/known-device.ts'
import { agrees, type Comparison, compare, likelihood } from './compare.ts'
import type { Components } from './components.ts'
import {
  type Context,
  type Counted,
  GROUP_NAMES,
  type GroupName,
  type Keys,
  KINDS,
  kindIndex,
} from './keys.ts'
import { strangersAmong } from './separate.ts'

export interface Evidence {
  components: Components
  atMs: number
  cookieless: boolean
  /** Of the visits without a known cookie: how many are of new devices, for one of a known device. */
  newForKnown: number
  keys: Keys
  /** By key. */
  matches: ReadonlyMap<number, KeyMatch>
  /** By kind. */
  spread: readonly (KeySpread | undefined)[]
}

export interface Weighed {
  device: KnownDevice
  comparison: Comparison
  /** How many times likelier it is that this device came back than that a new one came. */
  odds: number
  /** What the agreement rests on, and how many known devices agree as far. */
  context: Context
  sharedBy: number
}

/** Candidates, the likeliest first. */
export function weigh(evidence: Evidence, devices: readonly KnownDevice[]): Weighed[] {
  const compared = devices
    .filter(({ profile }) => profile.family === evidence.components.family)
    .map((device) => ({ device, comparison: compare(device.profile, evidence.components, evidence.atMs) }))
  return compared
    .flatMap((candidate) => weighOne(evidence, candidate, compared) ?? [])
    .sort((a, b) => b.odds - a.odds)
}

interface Candidate {
  device: KnownDevice
  comparison: Comparison
}

const CONTEXTS: readonly Context[] = ['none', 'locale', 'prefix', 'address']
/** More than two changed groups are another machine's. */
const CHANGED_MAX = 2

function weighOne(evidence: Evidence, candidate: Candidate, all: readonly Candidate[]): Weighed | undefined {
  const { device, comparison } = candidate
  const { profile } = device
  const differing = GROUP_NAMES.filter((group) => !agrees(comparison.groups[group]))
  if (differing.length > Math.max(CHANGED_MAX, evidence.keys.absent.length)) return undefined
  const own = traits(evidence, profile, comparison)
  const strangers = strangersAmong(profile)
  let best: Weighed | undefined
  for (const context of CONTEXTS) {
    if (!holds(context, comparison)) continue
    const sharing = sharedBy(evidence, differing, context, all)
    if (sharing === undefined) continue
    const others = othersExpected(evidence, differing, context, sharing)
    const odds =
      (own * likelihood(comparison, profile, evidence.components, differing, context)) /
      (others + strangers) /
      evidence.newForKnown
    if (!best || odds > best.odds) best = { device, comparison, odds, context, sharedBy: sharing }
  }
  return best
}

const holds = (context: Context, comparison: Comparison): boolean =>
  context === 'none' || agrees(comparison[context])

/** How many known devices agree with the visit in all but these groups; undefined when that is not known. */
function sharedBy(
  evidence: Evidence,
  without: readonly GroupName[],
  context: Context,
  all: readonly Candidate[],
): number | undefined {
  const index = kindIndex(without, context)
  const key = index === undefined ? undefined : evidence.keys.listed.get(index)
  if (key !== undefined) return Math.max(1, evidence.matches.get(key)?.devices ?? 1)
  if (context !== 'address' && context !== 'prefix') return undefined
  // Everybody there is a candidate: they can be counted one by one.
  if (devicesOf(evidence, undefined, context) > LISTED_MAX) return undefined
  return all.filter(
    ({ comparison }) =>
      agrees(comparison[context]) &&
      GROUP_NAMES.every((group) => without.includes(group) || agrees(comparison.groups[group])),
  ).length
}

/**
 * Among how many others a newcomer that agrees as far is to be expected. The count of known ones, less a
 * discount that the domain's own traffic teaches: where most keys are one device's alone, a newcomer seldom
 * has a known one; where most are shared, as phones of one model share them, it often has.
 */
function othersExpected(
  evidence: Evidence,
  without: readonly GroupName[],
  context: Context,
  sharing: number,
): number {
  const learned = evidence.spread[kindIndex(without, context) ?? kindIndex([], context) ?? -1]
  const prior = priorsOf(evidence.components.family)[context]
  const once = (learned?.once ?? 0) + prior.once
  const twice = (learned?.twice ?? 0) + prior.twice
  return Math.max(sharing - once / (once + 2 * twice), coincidences(evidence, without, context), OTHERS_MIN)
}

/** Nothing is so rare that a second one is out of the question. */
const OTHERS_MIN = 0.002

/** What a domain is taken for until its own traffic says more. */
const PRIORS: Record<Context, KeySpread> = {
  none: { once: 8, twice: 0.8 },
  locale: { once: 12, twice: 0.6 },
  prefix: { once: 20, twice: 0.5 },
  address: { once: 20, twice: 0.3 },
}
/** All of Apple's phones of one size look the same. */
const PRIORS_OF_CLONES: Record<Context, KeySpread> = {
  none: { once: 2, twice: 6 },
  locale: { once: 4, twice: 4 },
  prefix: { once: 12, twice: 1.5 },
  address: { once: 20, twice: 0.6 },
}
const priorsOf = (family: string) => (family.startsWith('IOS') ? PRIORS_OF_CLONES : PRIORS)

/** How many other clones are to be expected at an address that many use, by chance alone. */
function coincidences(evidence: Evidence, without: readonly GroupName[], context: Context): number {
  if (context !== 'address' && context !== 'prefix') return 0
  const family = devicesOfKey(evidence, evidence.keys.counted.family)
  if (family === 0) return 0
  const clones = Math.max(0, devicesOf(evidence, without, 'none') - 1)
  const there = Math.max(0, devicesOf(evidence, undefined, context) - 1)
  return (clones * there) / family
}

function devicesOf(evidence: Evidence, without: readonly GroupName[] | undefined, context: Context): number {
  const index = kindIndex(without, context)
  return devicesOfKey(evidence, index === undefined ? undefined : evidence.keys.listed.get(index))
}

const devicesOfKey = ({ matches }: Evidence, key: number | undefined): number =>
  key === undefined ? 0 : (matches.get(key)?.devices ?? 0)

/** How often a trait stays as it was, and how many times the likelier a rare one may make it at most. */
const TRAITS: readonly { name: Counted; stays: number; most: number }[] = [
  { name: 'settings', stays: 0.95, most: 6 },
  { name: 'zoom', stays: 0.85, most: 3 },
]
const VERSION_STAYS = 0.6
const VERSION_MOST = 3

/** What tells clones apart a little: settings, zoom, version, and whether cookies are kept at all. */
function traits(
  evidence: Evidence,
  profile: KnownDevice['profile'],
  { changes, version }: Comparison,
): number {
  const all = devicesOfKey(evidence, evidence.keys.counted.family)
  const share = (name: Counted) => (devicesOfKey(evidence, evidence.keys.counted[name]) + 1) / (all + 2)
  let odds = version === 'same' ? Math.min(VERSION_MOST, VERSION_STAYS / share('version')) : 1
  for (const { name, stays, most } of TRAITS) {
    const change = changes[name as 'settings' | 'zoom'] ?? 'absent'
    if (agrees(change)) odds *= Math.min(most, stays / share(name))
    else if (change === 'changed') odds *= Math.max(0.05, (1 - stays) / Math.max(0.05, 1 - share(name)))
  }
  if (changes.theme === 'changed') odds *= 0.5
  if (evidence.cookieless !== profile.cookieless) return odds * 0.3
  return evidence.cookieless ? odds * 8 : odds
}

export interface Judgement {
  best: Weighed | undefined
  /** Probability that the visit is of the best candidate's device. */
  confidence: number
}

/** The best candidate against all others, a new device among them. */
export function judge(weighed: readonly Weighed[], evidence: Evidence): Judgement {
  const [best] = weighed
  const crowd = KINDS.some(
    ({ without, context }) =>
      without && context === 'none' && devicesOf(evidence, without, context) > LISTED_MAX,
  )
  const total = weighed.reduce((sum, { odds }) => sum + odds, crowd ? 1 + UNLISTED_ODDS : 1)
  return { best, confidence: best ? best.odds / total : 0 }
}

/** Of the clones in a group so large that they are not all listed, together. */
const UNLISTED_ODDS = 0.5
