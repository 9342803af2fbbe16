import { hash53 } from '../lib/hash53.ts'
import type { KeyHistory } from '../visit/identification.ts'
import type { DeviceProfile, KnownCookie } from '../visit/known-device.ts'
import { isPhone } from './components.ts'
import { type Holder, isInNetwork } from './holders.ts'
import type { Case } from './identity.ts'

/** The key under which a device is listed for the key pair of its browser; undefined where a visit proves none. */
export const deviceKeyOf = ({ proof }: Case['visit']): number | undefined =>
  proof?.key.state === 'proven' && proof.key.id !== undefined
    ? hash53(`device key ${proof.key.id}`)
    : undefined

/**
 * What the keys say that came with the visit's cookie.
 * @param holders all devices that its cookie or key is known from
 * @param chosen that of them which the visit is of
 */
export function keyHistoryOf(
  { visit, cookie, deviceKey }: Pick<Case, 'visit' | 'cookie' | 'deviceKey'>,
  holders: readonly Holder[],
  chosen: DeviceProfile | undefined,
): KeyHistory | undefined {
  const isCookie = ({ key }: KnownCookie) => key === cookie
  const isKey = ({ deviceKeys }: KnownCookie) =>
    deviceKey !== undefined && deviceKeys?.includes(deviceKey) === true
  // Who copied something had it later than its owner.
  const hadBefore = ({ device: { profile } }: Holder, isTie: (known: KnownCookie) => boolean) =>
    profile !== chosen && firstWith(profile, isTie) < firstWith(chosen, isTie)
  const isComplete = visit.proof?.interrupted === false
  if (holders.some((holder) => contradicts(holder, isComplete) && hadBefore(holder, isCookie)))
    return 'another_machine'
  if (holders.some((holder) => holder.possession.machine === 'other' && hadBefore(holder, isKey)))
    return 'copied'
  if (deviceKey === undefined) return holders.some(({ tie }) => tie === 'no_key') ? 'missing' : undefined
  if (chosen?.cookies.some(isKey))
    return cookie === undefined || chosen.cookies.some((known) => isCookie(known) && isKey(known))
      ? 'same'
      : 'on_other_cookie'
  return holders.some(({ tie }) => tie === 'other_key') ? 'replaced' : 'first'
}

const firstWith = (profile: DeviceProfile | undefined, isTie: (known: KnownCookie) => boolean): number =>
  Math.min(...(profile?.cookies ?? []).filter(isTie).map(({ firstAtMs }) => firstAtMs), Number.MAX_VALUE)

/**
 * Whether a cookie without its key is proven to be on another machine: by hardware that differs, outside the address of
 * its owner, where a browser may lie about itself. What is missing accuses nobody. A visit that was cut short lacks its
 * key by chance. One difference is enough with another key in a network that the device never used: an update of the
 * system may change one, but not move the machine. A laptop that uses its second graphics card for the first time differs in
 * that alone.
 */
function contradicts({ tie, possession, comparison, device }: Holder, isComplete: boolean): boolean {
  const { newFlips, isOtherFamily, machine, isAtHome } = possession
  if (isAtHome || tie === 'proven' || tie === 'unkeyed') return false
  const differences = newFlips.length + (isOtherFamily && machine === 'other' ? 2 : 0)
  const isSecondCard = newFlips.every((name) => name === 'gpu') && !isPhone(device.profile)
  if (tie === 'other_key')
    return differences > 1 || (differences === 1 && !isSecondCard && !isInNetwork(comparison))
  return differences > 1 && isComplete
}
