import type { DeviceProfile, KnownDevice } from '../visit/known-device.ts'
import { agrees, type Comparison, compare, type Possession, possession } from './compare.ts'
import type { Case } from './identity.ts'

/** A device that the visit's cookie or the browser's key is known from. */
export interface Holder {
  device: KnownDevice
  comparison: Comparison
  possession: Possession
  tie: Tie
}

/**
 * How a visit is tied to a device. `proven`: by a key of the device. Otherwise by its cookie alone, which came with no
 * key so far (`unkeyed`), or came with another one before (`other_key`), or with one where there is none now (`no_key`).
 */
type Tie = 'proven' | 'unkeyed' | 'other_key' | 'no_key'

type Ties = Pick<Case, 'cookie' | 'deviceKey'>

/** The devices under the visit's cookie and key: those of its key first, then those that agree most. */
export function holdersOf(given: Case, known: readonly KnownDevice[]): Holder[] {
  return known
    .map((device): Holder => {
      const { profile } = device
      const comparison = compare(profile, given.components, given.visit.atMs)
      return {
        device,
        comparison,
        possession: possession(profile, given.components, comparison, knownCookieOf(profile, given)),
        tie: tieOf(profile, given),
      }
    })
    .sort(byAgreement(given.cookie))
}

function tieOf({ cookies }: DeviceProfile, { cookie, deviceKey }: Ties): Tie {
  if (deviceKey !== undefined && cookies.some(({ deviceKeys }) => deviceKeys?.includes(deviceKey)))
    return 'proven'
  const own = cookies.find(({ key }) => key === cookie)
  if (!own?.deviceKeys?.length) return 'unkeyed'
  return deviceKey === undefined ? 'no_key' : 'other_key'
}

/** The cookie by which the device knows the visit: its own, or else the one that its key came with before. */
export function knownCookieOf({ cookies }: DeviceProfile, { cookie, deviceKey }: Ties): number | undefined {
  const own = cookies.find(({ key }) => key === cookie)
  const keyed = cookies.find(({ deviceKeys }) => deviceKey !== undefined && deviceKeys?.includes(deviceKey))
  return (own ?? keyed)?.key ?? cookie
}

/**
 * Whether the cookie or key that ties the visit to the device came to it by its look. Of a cookie that the device has
 * forgotten, nobody can tell.
 */
export function isTiedByLook(profile: DeviceProfile, ties: Ties): boolean {
  const tied = knownCookieOf(profile, ties)
  const known = profile.cookies.find(({ key }) => key === tied)
  return known === undefined || known.isByLook === true
}

/**
 * What a tie is worth: the device (`own`), no more than the visit's look (`look`), or nothing. Without the key that it is
 * known with, a cookie is a text that anybody may have copied. A phone that was put away before it could sign has no
 * key either, so in the device's own networks its absence takes nothing away. At its owner's address, on hardware that
 * is the same, it is a browser that lost its key.
 */
export function worthOf({ tie, possession, comparison }: Holder): 'own' | 'look' | 'nothing' {
  const { machine, newFlips, flips, isAtHome } = possession
  if (machine === 'other') return 'nothing'
  if (tie === 'other_key' && isAtHome && flips.length === 0) return 'own'
  if (tie === 'proven' || tie === 'unkeyed' || (tie === 'no_key' && isInNetwork(comparison))) return 'own'
  return machine === 'doubtful' || newFlips.length > 0 ? 'nothing' : 'look'
}

/** Whether the device was seen in the visit's network before. */
export const isInNetwork = ({ address, prefix, changes }: Comparison): boolean =>
  agrees(address) || agrees(prefix) || agrees(changes.provider ?? 'absent')

/** Of two that agree alike, the one that had the cookie last comes first. */
const byAgreement =
  (cookie: number | undefined) =>
  (a: Holder, b: Holder): number =>
    Number(b.tie === 'proven') - Number(a.tie === 'proven') ||
    a.possession.flips.length - b.possession.flips.length ||
    agreeing(b.comparison) - agreeing(a.comparison) ||
    heldUntil(b, cookie) - heldUntil(a, cookie)

const heldUntil = ({ device }: Holder, cookie: number | undefined): number =>
  device.profile.cookies.find(({ key }) => key === cookie)?.lastAtMs ?? 0

const agreeing = ({ groups }: Comparison): number => Object.values(groups).filter(agrees).length
