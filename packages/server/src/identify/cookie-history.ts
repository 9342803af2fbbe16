import type { DeviceProfile, KnownCookie } from '../visit/known-device.ts'

/** A private window may stay open for hours next to an ordinary one. */
const PRIVATE_WINDOW_MS = 12 * 3_600_000

/** The visit that brings the cookie. */
interface CookieUse {
  /** Hash of its address. */
  address: number | undefined
  /** First number of the browser's version. */
  browserMajor: number | undefined
  atMs: number
}

/**
 * Whether a cookie of this device proves to be another machine's. Either an older cookie of the device alternates
 * with it and the two come from different places, or the browser version would have gone back. Neither happens on
 * one machine: a cleared cookie never returns, a private window's cookie lives for hours, and two profiles share
 * the machine's places and browser version.
 */
export function isAnotherMachine({ cookies }: DeviceProfile, cookie: number, now: CookieUse): boolean {
  const own = cookies.find(({ key }) => key === cookie)
  if (!own) return false
  const older = cookies.filter((other) => other.firstAtMs < own.firstAtMs)
  return older.some((other) => alternatesElsewhere(own, other, now) || wentBack(own, other, now))
}

function alternatesElsewhere(own: KnownCookie, older: KnownCookie, { address, atMs }: CookieUse): boolean {
  if (address === undefined || atMs - own.firstAtMs < PRIVATE_WINDOW_MS || older.lastAtMs <= own.lastAtMs)
    return false
  const places = [address, ...own.addresses]
  return (
    places.some((place) => !older.addresses.includes(place)) &&
    older.addresses.some((place) => !places.includes(place))
  )
}

/** Browsers do not go back to an older version. Where one seems to, there are two browsers. */
function wentBack(own: KnownCookie, older: KnownCookie, now: CookieUse): boolean {
  const isOlder = (then: number | undefined, before: number | undefined): boolean =>
    then !== undefined && before !== undefined && then < before
  return (
    isOlder(now.browserMajor, older.browserMajor) ||
    (older.lastAtMs > own.lastAtMs && isOlder(older.browserMajor, own.browserMajor))
  )
}

/**
 * The number of cookies that may belong to other machines: an older cookie of the device is still in use, and this
 * one comes from other places or lives longer than a private window does.
 */
export const strangersAmong = ({ cookies }: DeviceProfile): number =>
  cookies.filter((cookie) =>
    cookies.some(
      (older) =>
        older.firstAtMs < cookie.firstAtMs &&
        older.lastAtMs > cookie.firstAtMs &&
        (cookie.lastAtMs - cookie.firstAtMs > PRIVATE_WINDOW_MS ||
          !cookie.addresses.some((address) => older.addresses.includes(address))),
    ),
  ).length

/** Two cookies that alternate for less than this may be one person with two windows. */
const TAKING_TURNS_MS = 86_400_000
const VISITS_MIN = 3

/**
 * Whether the visitor with this cookie is not the one the device is known for: both cookies stay in use, and each
 * has always asked for other languages than the other. A new cookie alone is the same visitor, because people clear
 * cookies far more often than they share a machine.
 * @param languages of this visit
 */
export function isAnotherVisitor(
  { cookies }: DeviceProfile,
  cookie: number,
  languages: number | undefined,
  atMs: number,
): boolean {
  const own = cookies.find(({ key }) => key === cookie)
  if (!own || languages === undefined || own.languages !== languages) return false
  if (own.visits + 1 < VISITS_MIN || atMs - own.firstAtMs < TAKING_TURNS_MS) return false
  return cookies.some(
    (other) =>
      other.firstAtMs < own.firstAtMs &&
      other.lastAtMs > own.firstAtMs &&
      other.languages !== undefined &&
      other.languages !== languages,
  )
}
