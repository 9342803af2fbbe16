import type { LRUCache } from 'lru-cache'
import type { DeviceProfile, DeviceStore, KnownDevice } from '../visit/known-device.ts'
import { type Arrivals, firstArrivals, isSurging, lossKind, newForKnown } from './arrivals.ts'
import { withWindows } from './device-profile.ts'
import type { Case } from './identity.ts'
import { allKeys, candidateNumbers, machineKey, withoutItself } from './keys.ts'
import { type Judgement, judge, weigh } from './weigh.ts'
import type { LinkWeights } from './weights.ts'

/**
 * Reads a domain's devices and finds the one that a visit is most likely of.
 * @param windows whether a cookie, by its key, is a private window's, where that is not stored yet
 */
export function createDeviceSearch(
  devices: DeviceStore,
  weights: LinkWeights,
  windows: LRUCache<number, boolean>,
) {
  const arrivalsByKind = new Map<string, Arrivals>()

  /** Those of browsers that lose their cookies as the visit's does. */
  function arrivalsOf({ visit, components }: Case): Arrivals {
    const kind = `${visit.domain.id} ${lossKind(components)}`
    const arrivals = arrivalsByKind.get(kind) ?? firstArrivals()
    arrivalsByKind.set(kind, arrivals)
    return arrivals
  }

  async function lookUp({ visit, matches }: Case, keys: readonly number[]): Promise<void> {
    const unknown = keys.filter((key) => !matches.has(key))
    for (const match of await devices.lookUp(visit.domain.id, unknown)) matches.set(match.key, match)
  }

  /** Devices by number; for one that was merged into another, that other. */
  async function read(domainId: number, numbers: readonly number[]): Promise<KnownDevice[]> {
    const found = numbers.length === 0 ? [] : await devices.devices(domainId, numbers)
    const current = found
      .filter(({ profile }) => profile.mergedInto === undefined)
      .map(({ number, profile }) => ({
        number,
        profile: { ...profile, cookies: withWindows(profile.cookies, windows) },
      }))
    const known = new Set(found.map(({ number }) => number))
    const successors = found
      .flatMap(({ profile }) => profile.mergedInto ?? [])
      .filter((number) => !known.has(number))
    return successors.length === 0
      ? current
      : [...current, ...(await read(domainId, [...new Set(successors)]))]
  }

  /**
   * The best candidate for the visit, or for `self`, a known device that may be an older one.
   * @param except devices that it proved not to be
   */
  async function search(
    given: Case,
    { self, except = [] }: { self?: DeviceProfile; except?: readonly KnownDevice[] },
  ): Promise<Judgement & { candidates: number }> {
    const { visit, components, keys, cookie } = given
    const domainId = visit.domain.id
    await lookUp(given, allKeys(keys))
    const candidates = (await read(domainId, candidateNumbers(keys, given.matches))).filter(
      ({ number, profile }) =>
        except.every((other) => other.number !== number) &&
        (!self || (profile.deviceId !== self.deviceId && profile.lastAtMs < self.firstAtMs)),
    )
    const evidence = {
      components,
      atMs: self?.firstAtMs ?? visit.atMs,
      cookieless: cookie === undefined,
      isSurging: isSurging(arrivalsOf(given), machineKey(keys), visit.atMs),
      newForKnown: newForKnown(arrivalsOf(given), weights),
      keys,
      matches: self ? withoutItself(given.matches, self) : given.matches,
      spread: await devices.spread(domainId, keys.counted.family ?? 0),
      weights,
    }
    return { ...judge(weigh(evidence, candidates), evidence), candidates: candidates.length }
  }

  return { arrivalsOf, lookUp, read, search }
}
