import { NIL_UUID } from '@inkling/contract'
import { uuidV5 } from '../lib/uuid.ts'
import type { DecisionOutcome, Identity } from '../visit/identification.ts'
import type { DeviceProfile, DeviceStore, DeviceWrite, KeyMatch, KnownDevice } from '../visit/known-device.ts'
import { type Comparison, compare, isPhone } from './compare.ts'
import {
  type ComponentName,
  type Components,
  componentsOf,
  isUsable,
  readingsOf,
  type Visit,
} from './components.ts'
import { judge, weigh } from './decide.ts'
import { followProfile, joinProfiles, newProfile, type Sighting } from './device-profile.ts'
import { explain } from './explain.ts'
import { hardwareFlips, isCarriedOver } from './hardware-flips.ts'
import { cookieKey, type Keys, keysOf, kindIndex } from './keys.ts'
import { newKeys, withoutItself } from './new-keys.ts'
import { follow, newForKnown, type Pace, startPace } from './pace.ts'
import { queueByKey } from './queue-by-key.ts'
import { isAnotherMachine } from './separate.ts'
import { isAnotherVisitor } from './visitors.ts'
import { allKeys, candidateNumbers } from './wanted.ts'

export interface Linked {
  identity: Identity
  /** To be committed with the identification; undefined for nil identifiers. */
  write: DeviceWrite | undefined
}

/** What a commit answers when the device that should be new is there already. */
export const TAKEN = Symbol('taken')

export interface Linker {
  /**
   * Names the visit's device. No other visit that may be of the same browser is looked at until `commit` has
   * written it; when that answers `TAKEN`, another process was faster, and the visit is linked again.
   */
  link<Result>(visit: Visit, commit: (linked: Linked) => Promise<Result | typeof TAKEN>): Promise<Result>
}

/**
 * Below it a visit without a known cookie is of a new device: a false merge is worse than a false split. Desktops
 * need more: the second laptop out of a company's image comes before anything shows that there are several, while
 * all phones of one model are known to be alike.
 */
const CONFIDENCE_MIN = { phone: 0.6, desktop: 0.72 }
/** To take back what was decided needs more. */
const MERGE_CONFIDENCE_MIN = 0.9
/** Only a young device may prove to be an older one. */
const YOUNG_VISITS_MAX = 8
/** A cookie may be copied to another machine or be made up; seldom. */
const COOKIE_CONFIDENCE = 0.999
const TRIES_MAX = 4

interface Case {
  visit: Visit
  components: Components
  keys: Keys
  cookie: number | undefined
  /** Grows with each look-up. */
  matches: Map<number, KeyMatch>
}

interface Choice {
  outcome: DecisionOutcome
  confidence: number
  device: KnownDevice | undefined
  /** With the device chosen, or the likeliest one. */
  comparison: Comparison | undefined
  candidates: number
  hardwareFlips: readonly ComponentName[]
  merged: KnownDevice | undefined
}

export function createLinker(devices: DeviceStore): Linker {
  const queue = queueByKey()
  const paces = new Map<number, Pace>()

  function paceOf(domainId: number): Pace {
    const pace = paces.get(domainId) ?? startPace()
    paces.set(domainId, pace)
    return pace
  }

  async function find(given: Case, keys: readonly number[]): Promise<void> {
    const unknown = keys.filter((key) => !given.matches.has(key))
    for (const match of await devices.lookUp(given.visit.domain.id, unknown))
      given.matches.set(match.key, match)
  }

  /** Devices by number; one that proved to be another is that other. */
  async function fetch(domainId: number, numbers: readonly number[]): Promise<KnownDevice[]> {
    const found = numbers.length === 0 ? [] : await devices.devices(domainId, numbers)
    const merged = found.flatMap(({ profile }) => profile.mergedInto ?? [])
    const known = new Set(found.map(({ number }) => number))
    const standing = found.filter(({ profile }) => profile.mergedInto === undefined)
    const others = merged.filter((number) => !known.has(number))
    return others.length === 0 ? standing : [...standing, ...(await fetch(domainId, [...new Set(others)]))]
  }

  async function search(
    given: Case,
    self?: DeviceProfile,
  ): Promise<ReturnType<typeof judge> & { candidates: number }> {
    const { visit, components, keys, cookie } = given
    const domainId = visit.domain.id
    await find(given, allKeys(keys))
    const matches = self ? withoutItself(given.matches, self) : given.matches
    const candidates = (await fetch(domainId, candidateNumbers(keys, given.matches))).filter(
      ({ profile }) => !self || (profile.deviceId !== self.deviceId && profile.lastAtMs < self.firstAtMs),
    )
    const evidence = {
      components,
      atMs: self?.firstAtMs ?? visit.atMs,
      cookieless: cookie === undefined,
      newForKnown: newForKnown(paceOf(domainId)),
      keys,
      matches,
      spread: await devices.spread(domainId, keys.counted.family ?? 0),
    }
    return { ...judge(weigh(evidence, candidates), evidence), candidates: candidates.length }
  }

  async function choose(given: Case): Promise<Choice> {
    const { visit, components, keys, cookie } = given
    const first = [cookie, machineKey(keys), keys.counted.family].filter((key) => key !== undefined)
    await find(given, first)
    const listed = cookie === undefined ? undefined : given.matches.get(cookie)?.listed.slice(0, 1)
    const [byCookie] = await fetch(visit.domain.id, listed ?? [])
    follow(paceOf(visit.domain.id), byCookie !== undefined)
    if (byCookie && cookie !== undefined) {
      const comparison = compare(byCookie.profile, components, visit.atMs)
      const flips = hardwareFlips(comparison)
      const none = { device: undefined, comparison, candidates: 1, hardwareFlips: flips, merged: undefined }
      if (isCarriedOver(byCookie.profile, components, flips))
        return { ...none, outcome: 'cookie_carried_over', confidence: COOKIE_CONFIDENCE }
      const now = {
        address: components.values.address,
        browserMajor: components.version[0],
        atMs: visit.atMs,
      }
      if (isAnotherMachine(byCookie.profile, cookie, now))
        return { ...none, outcome: 'separated', confidence: MERGE_CONFIDENCE_MIN }
      return { ...none, outcome: 'cookie', confidence: COOKIE_CONFIDENCE, ...(await settle(given, byCookie)) }
    }
    const { best, confidence, candidates } = await search(given)
    const known =
      best !== undefined && confidence >= CONFIDENCE_MIN[isPhone(components) ? 'phone' : 'desktop']
    return {
      outcome: known ? 'linked' : 'new',
      confidence: known ? confidence : 1 - confidence,
      device: known ? best.device : undefined,
      comparison: best?.comparison,
      candidates,
      hardwareFlips: known ? hardwareFlips(best.comparison) : [],
      merged: undefined,
    }
  }

  /** The device that a cookie was given to, or the older one that it proves to be now. */
  async function settle(given: Case, own: KnownDevice): Promise<Pick<Choice, 'device' | 'merged'>> {
    const seen = new Set(own.profile.keys)
    const shows = allKeys(given.keys).some((key) => !seen.has(key))
    if (own.profile.visits > YOUNG_VISITS_MAX || !shows) return { device: own, merged: undefined }
    const { best, confidence } = await search(given, own.profile)
    if (!best || confidence < MERGE_CONFIDENCE_MIN) return { device: own, merged: undefined }
    const { number, profile } = best.device
    return {
      device: { number, profile: joinProfiles(profile, own.profile) },
      merged: { number: own.number, profile: { ...own.profile, mergedInto: number } },
    }
  }

  async function attempt(visit: Visit, components: Components, keys: Keys): Promise<Linked> {
    const cookie = visit.cookieId === NIL_UUID ? undefined : cookieKey(visit.cookieId)
    const given: Case = { visit, components, keys, cookie, matches: new Map() }
    const choice = await choose(given)
    const { device } = choice
    if (!device) await find(given, allKeys(given.keys))
    const deviceId = device?.profile.deviceId ?? newDeviceId(given)
    const visitorId = visitorIdOf(given, deviceId, device?.profile)
    const sighting: Sighting = {
      components,
      keys: allKeys(given.keys),
      cookie: cookie === undefined ? undefined : { key: cookie, visitorId },
      atMs: visit.atMs,
    }
    const found = cookie !== undefined && given.matches.get(cookie)?.listed[0]
    const isListed = found !== undefined && (found === device?.number || found === choice.merged?.number)
    return {
      identity: {
        deviceId,
        visitorId,
        components: readingsOf(components),
        decision: explain({ ...choice, ...given, merged: choice.merged?.profile.deviceId }),
      },
      write: {
        domainId: visit.domain.id,
        family: given.keys.counted.family ?? 0,
        number: device?.number,
        profile: device ? followProfile(device.profile, sighting) : newProfile(deviceId, visitorId, sighting),
        keys: newKeys(device?.profile, given.keys, isListed ? undefined : cookie),
        merged: choice.merged,
      },
    }
  }

  return {
    async link(visit, commit) {
      const components = componentsOf(visit)
      const keys = keysOf(components)
      for (let tries = 0; isUsable(components) && tries < TRIES_MAX; tries++) {
        const result = await queue(queueKeys(visit, keys), async () =>
          commit(await attempt(visit, components, keys)),
        )
        if (result !== TAKEN) return result
      }
      const result = await commit(NOBODY)
      if (result === TAKEN) throw new Error('a commit without a device cannot find it taken')
      return result
    },
  }
}

const NOBODY: Linked = {
  identity: { deviceId: NIL_UUID, visitorId: NIL_UUID, components: [], decision: undefined },
  write: undefined,
}

/** Visits that may be of one browser: the same cookie, or the same machine at the same address. */
const queueKeys = ({ domain, cookieId, address }: Visit, keys: Keys): string[] => [
  `${domain.id} ${machineKey(keys)} ${address}`,
  ...(cookieId === NIL_UUID ? [] : [`${domain.id} ${cookieId}`]),
]

/** The key of all that there is of the machine; undefined when that is too little. */
const machineKey = ({ listed, absent }: Keys): number | undefined =>
  listed.get(kindIndex(absent, 'none') ?? -1)

/**
 * The n-th device with these facts, met at this address: two processes that meet it at once give it the same
 * ID, so that the database takes only one of them.
 */
function newDeviceId({ visit, components, keys, cookie, matches }: Case): string {
  const machine = machineKey(keys)
  // With too few facts to look up only the cookie tells devices apart.
  const facts = machine ?? `${JSON.stringify(components.values)} ${cookie}`
  const ordinal = matches.get(machine ?? keys.counted.family ?? 0)?.devices ?? 0
  return uuidV5(visit.domain.namespace, `device ${components.family} ${facts} ${visit.address} ${ordinal}`)
}

function visitorIdOf(
  { visit, components, cookie }: Case,
  deviceId: string,
  profile: DeviceProfile | undefined,
): string {
  const { namespace } = visit.domain
  const ofDevice = profile?.visitorId ?? uuidV5(namespace, `visitor of ${deviceId}`)
  if (!profile || cookie === undefined) return ofDevice
  const own = profile.cookies.find(({ key }) => key === cookie)?.visitorId ?? ofDevice
  const stranger =
    own === ofDevice && isAnotherVisitor(profile, cookie, components.values.languages, visit.atMs)
  return stranger ? uuidV5(namespace, `visitor of ${deviceId} ${cookie}`) : own
}
