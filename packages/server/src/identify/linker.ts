import { NIL_UUID } from '@inkling/contract'
import type { DecisionOutcome, Identity } from '../visit/identification.ts'
import type { DeviceProfile, DeviceStore, DeviceWrite, KnownDevice } from '../visit/known-device.ts'
import { type Arrivals, countArrival, firstArrivals, newForKnown } from './arrivals.ts'
import { type Comparison, compare, hardwareFlips, isCarriedOver } from './compare.ts'
import {
  type ComponentName,
  type Components,
  componentsOf,
  isUsable,
  readingsOf,
  type Visit,
} from './components.ts'
import { isAnotherMachine } from './cookie-history.ts'
import { followProfile, joinProfiles, newProfile, type Sighting } from './device-profile.ts'
import { type Case, explain, newDeviceId, visitorIdOf } from './identity.ts'
import {
  allKeys,
  candidateNumbers,
  cookieKey,
  type Keys,
  keysOf,
  machineKey,
  newKeys,
  withoutItself,
} from './keys.ts'
import { isPhone } from './likelihood.ts'
import { type Judgement, judge, weigh } from './weigh.ts'
import { DEFAULT_LINK_WEIGHTS, type LinkWeights } from './weights.ts'

export interface Linked {
  identity: Identity
  /** To be committed with the identification; undefined for nil identifiers. */
  write: DeviceWrite | undefined
}

/** What a commit answers when the ID of a new device is already in use. */
export const TAKEN = Symbol('taken')

export interface Linker {
  /**
   * Names the visit's device. Other visits that may be of the same browser wait until `commit` has written it.
   * When `commit` answers `TAKEN`, another process stored the device first, and the visit is linked again.
   */
  link<Result>(visit: Visit, commit: (linked: Linked) => Promise<Result | typeof TAKEN>): Promise<Result>
}

/** Only a device with few visits may prove to be an older one. */
const YOUNG_VISITS_MAX = 8
/** Reported for a known cookie, which may have been copied or made up. */
const COOKIE_CONFIDENCE = 0.999
const TRIES_MAX = 4

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

/** Links visits to the devices of their domain. */
export function createLinker(devices: DeviceStore, weights: LinkWeights = DEFAULT_LINK_WEIGHTS): Linker {
  const inOrder = createKeyedQueue()
  const arrivalsByDomain = new Map<number, Arrivals>()

  function arrivalsOf(domainId: number): Arrivals {
    const arrivals = arrivalsByDomain.get(domainId) ?? firstArrivals()
    arrivalsByDomain.set(domainId, arrivals)
    return arrivals
  }

  async function lookUp({ visit, matches }: Case, keys: readonly number[]): Promise<void> {
    const unknown = keys.filter((key) => !matches.has(key))
    for (const match of await devices.lookUp(visit.domain.id, unknown)) matches.set(match.key, match)
  }

  /** Devices by number; for one that was merged into another, that other. */
  async function read(domainId: number, numbers: readonly number[]): Promise<KnownDevice[]> {
    const found = numbers.length === 0 ? [] : await devices.devices(domainId, numbers)
    const current = found.filter(({ profile }) => profile.mergedInto === undefined)
    const known = new Set(found.map(({ number }) => number))
    const successors = found
      .flatMap(({ profile }) => profile.mergedInto ?? [])
      .filter((number) => !known.has(number))
    return successors.length === 0
      ? current
      : [...current, ...(await read(domainId, [...new Set(successors)]))]
  }

  /** The best candidate for the visit, or for `self`, a known device that may be an older one. */
  async function search(given: Case, self?: DeviceProfile): Promise<Judgement & { candidates: number }> {
    const { visit, components, keys, cookie } = given
    const domainId = visit.domain.id
    await lookUp(given, allKeys(keys))
    const candidates = (await read(domainId, candidateNumbers(keys, given.matches))).filter(
      ({ profile }) => !self || (profile.deviceId !== self.deviceId && profile.lastAtMs < self.firstAtMs),
    )
    const evidence = {
      components,
      atMs: self?.firstAtMs ?? visit.atMs,
      cookieless: cookie === undefined,
      newForKnown: newForKnown(arrivalsOf(domainId), weights),
      keys,
      matches: self ? withoutItself(given.matches, self) : given.matches,
      spread: await devices.spread(domainId, keys.counted.family ?? 0),
      weights,
    }
    return { ...judge(weigh(evidence, candidates), evidence), candidates: candidates.length }
  }

  async function choose(given: Case): Promise<Choice> {
    const { visit, keys, cookie } = given
    const first = [cookie, machineKey(keys), keys.counted.family].filter((key) => key !== undefined)
    await lookUp(given, first)
    const listed = cookie === undefined ? undefined : given.matches.get(cookie)?.listed.slice(0, 1)
    const [byCookie] = await read(visit.domain.id, listed ?? [])
    countArrival(arrivalsOf(visit.domain.id), byCookie !== undefined)
    return byCookie && cookie !== undefined ? chooseByCookie(given, cookie, byCookie) : chooseByLook(given)
  }

  /** The device that the cookie was given to, unless the cookie is on another machine now. */
  async function chooseByCookie(given: Case, cookie: number, known: KnownDevice): Promise<Choice> {
    const { visit, components } = given
    const comparison = compare(known.profile, components, visit.atMs)
    const flips = hardwareFlips(comparison)
    const none = { device: undefined, comparison, candidates: 1, hardwareFlips: flips, merged: undefined }
    if (isCarriedOver(known.profile, components, flips))
      return { ...none, outcome: 'cookie_carried_over', confidence: COOKIE_CONFIDENCE }
    const now = { address: components.values.address, browserMajor: components.version[0], atMs: visit.atMs }
    if (isAnotherMachine(known.profile, cookie, now))
      return { ...none, outcome: 'separated', confidence: weights.mergeConfidence }
    return { ...none, outcome: 'cookie', confidence: COOKIE_CONFIDENCE, ...(await merge(given, known)) }
  }

  /** The device of a known cookie, or the older device that it now proves to be. */
  async function merge(given: Case, own: KnownDevice): Promise<Pick<Choice, 'device' | 'merged'>> {
    const seen = new Set(own.profile.keys)
    const isChanged = allKeys(given.keys).some((key) => !seen.has(key))
    if (own.profile.visits > YOUNG_VISITS_MAX || !isChanged) return { device: own, merged: undefined }
    const { best, confidence } = await search(given, own.profile)
    if (!best || confidence < weights.mergeConfidence) return { device: own, merged: undefined }
    const { number, profile } = best.device
    return {
      device: { number, profile: joinProfiles(profile, own.profile) },
      merged: { number: own.number, profile: { ...own.profile, mergedInto: number } },
    }
  }

  /**
   * The likeliest device, or none below the minimum confidence: a false merge is worse than a false split. Desktops
   * need more confidence than phones. The second laptop of a company's image comes before anything shows that there
   * are several, while all phones of one model are known to be alike.
   */
  async function chooseByLook(given: Case): Promise<Choice> {
    const { best, confidence, candidates } = await search(given)
    const confidenceMin = isPhone(given.components) ? weights.phoneConfidence : weights.desktopConfidence
    const known = best && confidence >= confidenceMin ? best : undefined
    return {
      outcome: known ? 'linked' : 'new',
      confidence: known ? confidence : 1 - confidence,
      device: known?.device,
      comparison: best?.comparison,
      candidates,
      hardwareFlips: known ? hardwareFlips(known.comparison) : [],
      merged: undefined,
    }
  }

  async function linkOnce(visit: Visit, components: Components, keys: Keys): Promise<Linked> {
    const cookie = visit.cookieId === NIL_UUID ? undefined : cookieKey(visit.cookieId)
    const given: Case = { visit, components, keys, cookie, matches: new Map() }
    const choice = await choose(given)
    const { device } = choice
    if (!device) await lookUp(given, allKeys(keys))
    const deviceId = device?.profile.deviceId ?? newDeviceId(given)
    const visitorId = visitorIdOf(given, deviceId, device?.profile)
    const sighting: Sighting = {
      components,
      keys: allKeys(keys),
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
        family: keys.counted.family ?? 0,
        number: device?.number,
        profile: device ? followProfile(device.profile, sighting) : newProfile(deviceId, visitorId, sighting),
        keys: newKeys(device?.profile, keys, isListed ? undefined : cookie),
        merged: choice.merged,
      },
    }
  }

  return {
    async link(visit, commit) {
      const components = componentsOf(visit)
      const keys = keysOf(components)
      for (let tries = 0; isUsable(components) && tries < TRIES_MAX; tries++) {
        const result = await inOrder(queueKeys(visit, keys), async () =>
          commit(await linkOnce(visit, components, keys)),
        )
        if (result !== TAKEN) return result
      }
      const result = await commit(UNIDENTIFIED)
      if (result === TAKEN)
        throw new Error('the commit of a visit without a device answered that it is taken')
      return result
    },
  }
}

const UNIDENTIFIED: Linked = {
  identity: { deviceId: NIL_UUID, visitorId: NIL_UUID, components: [], decision: undefined },
  write: undefined,
}

/** Visits that may be of one browser share a key: the same cookie, or the same machine at the same address. */
const queueKeys = ({ domain, cookieId, address }: Visit, keys: Keys): string[] => [
  `${domain.id} ${machineKey(keys)} ${address}`,
  ...(cookieId === NIL_UUID ? [] : [`${domain.id} ${cookieId}`]),
]

/** Runs work with a common key one after the other, all other work side by side. */
function createKeyedQueue() {
  const last = new Map<string, Promise<void>>()

  return async <Result>(keys: readonly string[], work: () => Promise<Result>): Promise<Result> => {
    const before = keys.flatMap((key) => last.get(key) ?? [])
    const done = Promise.withResolvers<void>()
    // All places at once, so that two with the same keys never wait for each other.
    for (const key of keys) last.set(key, done.promise)
    try {
      await Promise.all(before)
      return await work()
    } finally {
      for (const key of keys) if (last.get(key) === done.promise) last.delete(key)
      done.resolve()
    }
  }
}
