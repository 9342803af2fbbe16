import { randomUUID } from 'node:crypto'
import { NIL_UUID } from '@inkling/contract'
import { growingCache } from '../lib/growing-cache.ts'
import { createKeyedQueue } from '../lib/keyed-queue.ts'
import type { DecisionOutcome, Identity, KeyHistory } from '../visit/identification.ts'
import {
  cookieKey,
  type DeviceStore,
  type DeviceWrite,
  type KnownDevice,
  LISTED_MAX,
} from '../visit/known-device.ts'
import { countKnown, learnArrival, noteArrival } from './arrivals.ts'
import { type Comparison, hardwareFlips } from './compare.ts'
import {
  type ComponentName,
  type Components,
  componentsOf,
  exitOf,
  isPhone,
  isUsable,
  isWebView,
  readingsOf,
  type Visit,
} from './components.ts'
import { isAnotherMachine } from './cookie-history.ts'
import { linkedFrom, mergedFrom } from './costs.ts'
import { deviceKeyOf, keyHistoryOf } from './device-key.ts'
import { followProfile, joinProfiles, newProfile, type Sighting } from './device-profile.ts'
import { createDeviceSearch } from './device-search.ts'
import { type Holder, holdersOf, isInNetwork, isTiedByLook, knownCookieOf, worthOf } from './holders.ts'
import { type Case, explain, newDeviceId, visitorIdOf } from './identity.ts'
import { allKeys, type Keys, keysOf, kindIndex, machineKey, newKeys } from './keys.ts'
import { DEFAULT_LINK_WEIGHTS, type LinkWeights } from './weights.ts'

export interface Linked {
  identity: Identity
  /** To be committed with the identification; undefined for nil identifiers. */
  write: DeviceWrite | undefined
  /** The likeliest device, where there was no cookie to go by, and its probability. */
  searched?: { deviceId: string; probability: number } | undefined
}

/** What a commit answers when the ID of a new device is already in use. */
export const TAKEN = Symbol('taken')

export interface Linker {
  /**
   * Names the visit's device. Other visits that may be of the same browser wait until `commit` has written it.
   * When `commit` answers `TAKEN`, another process stored the device first, and the visit is linked again.
   */
  link<Result>(visit: Visit, commit: (linked: Linked) => Promise<Result | typeof TAKEN>): Promise<Result>
  /** Learns, once a visit was linked, whether it is of a private window. */
  learnWindow(cookieId: string, isPrivate: boolean): void
}

/** Only a device with few visits may prove to be an older one. */
const YOUNG_VISITS_MAX = 8
/** Reported for a known cookie, which may have been copied or made up. */
const COOKIE_CONFIDENCE = 0.999
const TRIES_MAX = 4
/** A cookie that is on so many devices is given to no other one: the first ones must stay listed under it. */
const COOKIE_DEVICES_MAX = LISTED_MAX / 2
/** Cookies whose window is remembered until their device is written again. */
const WINDOWS_MAX = 20_000

interface Choice {
  outcome: DecisionOutcome
  confidence: number
  device: KnownDevice | undefined
  /** With the device chosen, or the likeliest one. */
  comparison: Comparison | undefined
  candidates: number
  hardwareFlips: readonly ComponentName[]
  /** Whether the device that these differ from was another browser, or on another system. */
  isOtherFamily: boolean
  /** Whether nothing but a look ties the visit to the device. */
  isByLook: boolean
  merged: KnownDevice | undefined
  /** ID of the device that the cookie had, which proved to be another machine. */
  separatedFrom?: string | undefined
  teaches: Sighting['teaches']
  searched: Linked['searched']
  keyHistory: KeyHistory | undefined
}

/** Links visits to the devices of their domain. */
export function createLinker(devices: DeviceStore, weights: LinkWeights = DEFAULT_LINK_WEIGHTS): Linker {
  const inOrder = createKeyedQueue()
  const windows = growingCache<number, boolean>(WINDOWS_MAX)
  const { arrivalsOf, lookUp, read, search } = createDeviceSearch(devices, weights, windows)

  async function choose(given: Case): Promise<Choice> {
    const { visit, keys, cookie, deviceKey } = given
    const ties = [cookie, deviceKey].filter((key) => key !== undefined)
    await lookUp(
      given,
      [...ties, machineKey(keys), lookHere(keys), keys.counted.family].filter((key) => key !== undefined),
    )
    const listed = new Set(ties.flatMap((key) => given.matches.get(key)?.listed ?? []))
    const known = await read(visit.domain.id, [...listed])
    if (known.length > 0) countKnown(arrivalsOf(given))
    const holders = holdersOf(given, known)
    const choice = holders.length === 0 ? await chooseByLook(given) : await chooseByTies(given, holders)
    const chosen = known.find(({ number }) => number === (choice.merged ?? choice.device)?.number)
    return { ...choice, keyHistory: keyHistoryOf(given, holders, chosen?.profile) }
  }

  /** The device that the cookie was given to, or the key, unless they are on another machine now. */
  async function chooseByTies(given: Case, holders: readonly Holder[]): Promise<Choice> {
    const { visit, components, keys, matches, cookie } = given
    const devicesOf = (key: number | undefined) => (key === undefined ? 0 : (matches.get(key)?.devices ?? 0))
    const now = { address: components.values.address, browserMajor: components.version[0], atMs: visit.atMs }
    const alike = {
      isOneProfile: isPhone(components) && !isWebView(components),
      clones: devicesOf(machineKey(keys)),
      clonesHere: devicesOf(lookHere(keys)),
    }
    const isWindowOf = ({ device: { profile } }: Holder) => {
      const known = knownCookieOf(profile, given)
      return known === undefined || !isAnotherMachine(profile, known, now, alike)
    }
    const onMachine = holders.filter((holder) => worthOf(holder) === 'own')
    const holder = onMachine.find(isWindowOf)
    if (!holder) {
      const [nearest] = [...onMachine, ...holders]
      const ruledOut = holders.filter((one) => worthOf(one) !== 'look')
      const byLook = await chooseByLook(given, devicesIn(ruledOut))
      // A new device is compared with the one whose cookie it has, so that a score can see how much differs.
      const elsewhere = { ...byLook, comparison: byLook.device ? byLook.comparison : nearest?.comparison }
      if (ruledOut.length < holders.length) return elsewhere
      return {
        ...elsewhere,
        outcome: onMachine.length > 0 ? 'separated' : 'cookie_carried_over',
        confidence: onMachine.length > 0 ? weights.mergeConfidence : COOKIE_CONFIDENCE,
        hardwareFlips: onMachine.length > 0 ? [] : (nearest?.possession.flips ?? []),
        isOtherFamily: nearest?.possession.isOtherFamily === true,
        separatedFrom: onMachine[0]?.device.profile.deviceId,
        searched: undefined,
      }
    }
    const { device, comparison, tie } = holder
    const { flips, machine, isOtherFamily } = holder.possession
    const isDoubtful = machine === 'doubtful' || (tie === 'no_key' && flips.length > 0)
    const isKnownCookie = cookie === undefined || device.profile.cookies.some(({ key }) => key === cookie)
    const strangers = holders.filter((one) => one !== holder && worthOf(one) !== 'own')
    return {
      outcome: isKnownCookie || tie !== 'proven' ? 'cookie' : 'device_key',
      comparison,
      candidates: 1,
      hardwareFlips: isDoubtful ? flips : hardwareFlips(comparison),
      isOtherFamily,
      isByLook: isTiedByLook(device.profile, given),
      // One change happens to honest machines, but a thief must not settle in another network by it.
      teaches: isDoubtful
        ? 'nothing'
        : flips.length > 0 || tie === 'no_key' || tie === 'other_key'
          ? 'look'
          : 'all',
      searched: undefined,
      keyHistory: undefined,
      ...(isDoubtful
        ? { device, merged: undefined, confidence: COOKIE_CONFIDENCE }
        : await merge(given, device, devicesIn(strangers))),
    }
  }

  /** The device of a known cookie, or the older device that it now proves to be. */
  async function merge(
    given: Case,
    own: KnownDevice,
    except: readonly KnownDevice[],
  ): Promise<Pick<Choice, 'device' | 'merged' | 'confidence'> & { isByLook?: true }> {
    const itself = { device: own, merged: undefined, confidence: COOKIE_CONFIDENCE }
    const seen = new Set(own.profile.keys)
    const isChanged = allKeys(given.keys).some((key) => !seen.has(key))
    if (own.profile.visits > YOUNG_VISITS_MAX || !isChanged) return itself
    const { best, confidence } = await search(given, { self: own.profile, except })
    if (!best || confidence < mergedFrom(given.visit.domain, weights)) return itself
    const { number, profile } = best.device
    return {
      device: { number, profile: joinProfiles(profile, own.profile) },
      merged: { number: own.number, profile: { ...own.profile, mergedInto: number } },
      confidence,
      isByLook: true,
    }
  }

  /** The likeliest device, or none where a new one costs less. */
  async function chooseByLook(given: Case, except: readonly KnownDevice[] = []): Promise<Choice> {
    const { visit, components, keys } = given
    const arrivals = arrivalsOf(given)
    const isTaught = noteArrival(arrivals, {
      atMs: visit.atMs,
      network: components.values.prefix,
      exit: exitOf(visit),
      look: machineKey(keys),
    })
    const { best, confidence, isKnown, candidates } = await search(given, { except })
    if (isTaught) learnArrival(arrivals, isKnown)
    const known = best && confidence >= linkedFrom(components, visit.domain, weights) ? best : undefined
    return {
      outcome: known ? 'linked' : 'new',
      confidence: known ? confidence : 1 - confidence,
      device: known?.device,
      comparison: best?.comparison,
      candidates,
      hardwareFlips: known ? hardwareFlips(known.comparison) : [],
      isOtherFamily: false,
      isByLook: known !== undefined,
      merged: undefined,
      // What only looks like the device may not lead it into other networks.
      teaches: known && isInNetwork(known.comparison) ? 'all' : 'look',
      searched: best && { deviceId: best.device.profile.deviceId, probability: confidence },
      keyHistory: undefined,
    }
  }

  async function linkOnce(visit: Visit, components: Components, keys: Keys, salt: string): Promise<Linked> {
    const cookie = visit.cookieId === NIL_UUID ? undefined : cookieKey(visit.cookieId)
    const deviceKey = deviceKeyOf(visit)
    const given: Case = { visit, components, keys, cookie, deviceKey, matches: new Map(), salt }
    const choice = await choose(given)
    const { device } = choice
    if (!device) await lookUp(given, allKeys(keys))
    const deviceId = device?.profile.deviceId ?? newDeviceId(given)
    const visitorId = visitorIdOf(given, deviceId, device?.profile)
    const sighting: Sighting = {
      components,
      keys: allKeys(keys),
      cookie: cookie === undefined ? undefined : { key: cookie, visitorId },
      deviceKey: isKeyTaught(choice, cookie) ? deviceKey : undefined,
      atMs: visit.atMs,
      teaches: choice.teaches,
      isByLook: choice.isByLook,
      windows,
    }
    const own = [device?.number, choice.merged?.number]
    const newTies = [cookie, cookie && sighting.deviceKey].filter((tie) => {
      const { devices = 0, listed = [] } = (tie !== undefined && given.matches.get(tie)) || {}
      return devices < COOKIE_DEVICES_MAX && !listed.some((number) => own.includes(number))
    })
    const isTaught = !device || choice.teaches !== 'nothing'
    return {
      identity: {
        deviceId,
        visitorId,
        components: readingsOf(components),
        decision: explain({
          ...choice,
          ...given,
          merged: choice.merged?.profile.deviceId,
          separatedFrom: choice.separatedFrom,
        }),
      },
      write: {
        domainId: visit.domain.id,
        family: keys.counted.family ?? 0,
        number: device?.number,
        profile: device ? followProfile(device.profile, sighting) : newProfile(deviceId, visitorId, sighting),
        keys: isTaught ? newKeys(device?.profile, keys, newTies) : [],
        merged: choice.merged,
      },
      searched: choice.searched,
    }
  }

  return {
    async link(visit, commit) {
      const components = componentsOf(visit)
      const keys = keysOf(components)
      for (let tries = 0; isUsable(components) && tries < TRIES_MAX; tries++) {
        const result = await inOrder(queueKeys(visit, keys), async () =>
          commit(await linkOnce(visit, components, keys, tries === 0 ? '' : ` ${randomUUID()}`)),
        )
        if (result !== TAKEN) return result
      }
      const result = await commit(UNIDENTIFIED)
      if (result === TAKEN)
        throw new Error('the commit of a visit without a device answered that it is taken')
      return result
    },
    learnWindow(cookieId, isPrivate) {
      windows.set(cookieKey(cookieId), isPrivate)
    },
  }
}

const devicesIn = (holders: readonly Holder[]): KnownDevice[] => holders.map(({ device }) => device)

/** The key of the visit's look at its address. */
const lookHere = ({ listed, absent }: Keys): number | undefined =>
  absent.length === 0 ? listed.get(kindIndex([], 'address') ?? -1) : undefined

/** Whether a cookie is known with the visit's key from now on. For one that came without a key so far, not elsewhere. */
const isKeyTaught = ({ device, comparison, teaches }: Choice, cookie: number | undefined): boolean => {
  if (!device || !comparison) return true
  const isNew = device.profile.cookies.every(({ key }) => key !== cookie)
  return teaches !== 'nothing' && (isNew || isInNetwork(comparison))
}

const UNIDENTIFIED: Linked = {
  identity: { deviceId: NIL_UUID, visitorId: NIL_UUID, components: [], decision: undefined },
  write: undefined,
}

/** Visits that may be of one browser share a key: the same cookie or device key, or machine and address. */
const queueKeys = ({ domain, cookieId, address, proof }: Visit, keys: Keys): string[] => [
  `${domain.id} ${machineKey(keys)} ${address}`,
  ...(cookieId === NIL_UUID ? [] : [`${domain.id} ${cookieId}`]),
  ...(proof?.key.id === undefined ? [] : [`${domain.id} key ${proof.key.id}`]),
]
