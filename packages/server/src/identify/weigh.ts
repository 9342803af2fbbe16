import { type KeyMatch, type KeySpread, type KnownDevice, LISTED_MAX } from '../visit/known-device.ts'
import { agrees, type Comparison, compare } from './compare.ts'
import type { Components } from './components.ts'
import { strangersAmong } from './cookie-history.ts'
import { type Context, GROUP_NAMES, type GroupName, type Keys, KINDS, kindIndex } from './keys.ts'
import { likelihood, lossRate } from './likelihood.ts'
import type { LinkWeights, WeightName } from './weights.ts'

/** A visit without a known cookie, and what the domain's devices say of looks like its. */
export interface Evidence {
  components: Components
  atMs: number
  cookieless: boolean
  /** The look comes from many networks at once, so that only the device's own network speaks for it. */
  isSurging: boolean
  /** New devices for each returning one among the visits without a known cookie. */
  newForKnown: number
  keys: Keys
  /** By key. */
  matches: ReadonlyMap<number, KeyMatch>
  /** By kind. */
  spread: readonly (KeySpread | undefined)[]
  weights: LinkWeights
}

export interface Weighed {
  device: KnownDevice
  comparison: Comparison
  /** How many times likelier it is that this device came back than that a new one came. */
  odds: number
  /** What the agreement rests on, and how many known devices agree as far. */
  context: Context
  sharedBy: number
  /** It was never seen in the visit's network. */
  isForeign: boolean
}

export interface Judgement {
  best: Weighed | undefined
  /** Probability that the visit is of the best candidate's device. */
  confidence: number
  /** Probability that it is of any of the candidates' devices, or a copy of one. */
  isKnown: number
}

/** More clones than these at one address are an office's. */
const HOUSEHOLD_MAX = 2

/** The best candidate against all others, a new device among them. */
export function judge(weighed: readonly Weighed[], evidence: Evidence): Judgement {
  const [best] = weighed
  // Of a crowd of clones, only those at the visit's address count where that is what the best candidate agrees in.
  const isHome = best?.context === 'address' && devicesOf(evidence, [], 'address') <= HOUSEHOLD_MAX
  const isCrowd =
    !isHome &&
    KINDS.some(
      ({ without, context }) =>
        without && context === 'none' && devicesOf(evidence, without, context) > LISTED_MAX,
    )
  const newDevice = isCrowd ? 1 + evidence.weights.unlistedOdds : 1
  const total = weighed.reduce(
    // Who copies a device's readings copies all of them, so that no agreement speaks against a copy.
    (sum, { odds, isForeign }) => sum + odds * (isForeign ? 1 + evidence.weights.copied : 1),
    newDevice,
  )
  const known = weighed.reduce((sum, { odds }) => sum + odds, 0)
  return { best, confidence: best ? best.odds / total : 0, isKnown: known / (known + newDevice) }
}

interface Candidate {
  device: KnownDevice
  comparison: Comparison
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

const CONTEXTS: readonly Context[] = ['none', 'locale', 'prefix', 'address']
const OWN_NETWORK: readonly Context[] = ['prefix', 'address']
/** More than two changed groups are another machine's. */
const CHANGED_MAX = 2

/** The odds in the context that speaks most for the candidate. */
function weighOne(evidence: Evidence, candidate: Candidate, all: readonly Candidate[]): Weighed | undefined {
  const { device, comparison } = candidate
  const { profile } = device
  const { components, weights } = evidence
  const differing = GROUP_NAMES.filter((group) => !agrees(comparison.groups[group]))
  if (differing.length > Math.max(CHANGED_MAX, evidence.keys.absent.length)) return undefined
  const traits = traitOdds(evidence, candidate) * agreementOdds(evidence, comparison) ** weights.traitPower
  const together = differing.length > 1 ? weights.changedTogether : 1
  const strangers = strangersAmong(profile)
  let best: Weighed | undefined
  const isForeign = isForeignTo(comparison)
  const loss = lossRate(components, comparison, weights)
  const calibration =
    (traits * together * platformOdds(components, comparison, weights) * providerOdds(comparison, weights)) /
    evidence.newForKnown
  for (const context of evidence.isSurging ? OWN_NETWORK : CONTEXTS) {
    if (context !== 'none' && !agrees(comparison[context])) continue
    const sharing = sharedBy(evidence, differing, context, all)
    if (sharing === undefined) continue
    const others = othersExpected(evidence, differing, context, sharing)
    const returns = likelihood({ comparison, profile, components }, differing, context, weights)
    const odds =
      (weights[BY_CONTEXT[context]] *
        calibration *
        returns ** weights.agreementPower *
        loss ** weights.lossPower) /
      (others + strangers) ** weights.othersPower
    if (!best || odds > best.odds)
      best = {
        device,
        comparison,
        odds,
        context,
        sharedBy: sharing,
        isForeign,
      }
  }
  return best
}

const BY_CONTEXT = {
  none: 'byLook',
  locale: 'byLocale',
  prefix: 'byPrefix',
  address: 'byAddress',
} as const satisfies Record<Context, WeightName>

function platformOdds({ family }: Components, comparison: Comparison, weights: LinkWeights): number {
  if (!family.startsWith('IOS')) return family.startsWith('Android') ? weights.onAndroid : 1
  const isKept = (['locale', 'address', 'prefix'] as const).some((context) => agrees(comparison[context]))
  return weights.onIphone * (isKept ? weights.iphoneKept : 1)
}

/** What the provider says where address and network say nothing. */
function providerOdds({ changes, address, prefix }: Comparison, weights: LinkWeights): number {
  const { provider = 'absent' } = changes
  if (provider === 'absent' || agrees(address) || agrees(prefix)) return 1
  if (!agrees(provider)) return weights.providerChanged
  // Addresses that thousands share are absent. Where they are a carrier's, a good part of all phones come through it.
  return address === 'absent' ? weights.carrierKept : weights.providerKept
}

/** Whether the visit comes through a provider that the device never used. */
const isForeignTo = ({ changes, address, prefix }: Comparison): boolean =>
  changes.provider === 'changed' && !agrees(address) && !agrees(prefix)

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
  // All devices there are candidates: they can be counted one by one.
  if (devicesOf(evidence, undefined, context) > LISTED_MAX) return undefined
  return all.filter(
    ({ comparison }) =>
      agrees(comparison[context]) &&
      GROUP_NAMES.every((group) => without.includes(group) || agrees(comparison.groups[group])),
  ).length
}

/**
 * How many others that agree as far are to be expected beside a new device. It is the number of known ones, less a
 * discount that the domain's own traffic teaches: where most keys are one device's alone, a new device is rarely
 * like a known one; where most are shared, as by phones of one model, it often is. The discount is the absolute
 * discount n1 / (n1 + 2 n2) of Ney, Essen and Kneser: https://doi.org/10.1006/csla.1994.1001
 */
function othersExpected(
  evidence: Evidence,
  without: readonly GroupName[],
  context: Context,
  sharing: number,
): number {
  const { weights } = evidence
  const learned = evidence.spread[kindIndex(without, context) ?? kindIndex([], context) ?? -1]
  const [onceName, twiceName] = (evidence.components.family.startsWith('IOS') ? PRIORS_OF_CLONES : PRIORS)[
    context
  ]
  const once = (learned?.once ?? 0) + weights[onceName]
  const twice = (learned?.twice ?? 0) + weights[twiceName]
  return Math.max(
    sharing - once / (once + 2 * twice),
    coincidences(evidence, without, context),
    context === 'none' || context === 'locale' ? weights.othersMin : weights.othersHere,
  )
}

type Prior = readonly [once: WeightName, twice: WeightName]

/** What a domain is taken for until its own traffic says more. */
const PRIORS: Record<Context, Prior> = {
  none: ['once', 'twice'],
  locale: ['onceLocale', 'twiceLocale'],
  prefix: ['oncePrefix', 'twicePrefix'],
  address: ['onceAddress', 'twiceAddress'],
}
const PRIORS_OF_CLONES: Record<Context, Prior> = {
  none: ['clonesOnce', 'clonesTwice'],
  locale: ['clonesOnceLocale', 'clonesTwiceLocale'],
  prefix: ['clonesOncePrefix', 'clonesTwicePrefix'],
  address: ['clonesOnceAddress', 'clonesTwiceAddress'],
}

/** How many other clones an address with many users has by chance alone. */
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

/** How much likelier a known device makes what tells clones apart a little: version, settings, zoom. */
function agreementOdds(evidence: Evidence, { changes, version }: Comparison): number {
  const { weights, keys } = evidence
  const all = devicesOfKey(evidence, keys.counted.family)
  const ratio = (name: 'version' | 'settings' | 'zoom'): number => {
    const share = (devicesOfKey(evidence, keys.counted[name]) + 1) / (all + 2)
    return Math.min(weights[`${name}Most`], weights[`${name}Kept`] / share)
  }
  const agreeing = (['settings', 'zoom'] as const).filter((name) => agrees(changes[name] ?? 'absent'))
  const odds = agreeing.reduce((product, name) => product * ratio(name), 1)
  return odds * (version === 'same' ? ratio('version') : 1)
}

/** What counts against it: another theme, zoom or settings, and another way with cookies. */
function traitOdds({ weights, cookieless }: Evidence, { device, comparison }: Candidate): number {
  const changed = (['theme', 'zoom', 'settings'] as const).filter(
    (name) => comparison.changes[name] === 'changed',
  )
  const odds = changed.reduce((product, name) => product * weights[`${name}Changed`], 1)
  if (cookieless !== device.profile.cookieless) return odds * weights.cookiesChanged
  return cookieless ? odds * weights.cookieless : odds
}
