import type { DeviceProfile, KnownCookie } from '../visit/known-device.ts'

/** A private window may stay open for hours beside the ordinary one. */
const PRIVATE_WINDOW_MS = 12 * 3_600_000

/** What a visit shows beside its cookie. */
interface Sighting {
  /** Hash of the address that the cookie comes from now. */
  address: number | undefined
  /** First number of the browser's version. */
  browserMajor: number | undefined
  atMs: number
}

/**
 * Whether a cookie that was once taken for this device's proves to be another machine's: an older cookie of the
 * device either comes in turns with it from places of its own, or shows that the browser would have been put back
 * to an older version. A cleared cookie never comes back, a private window's lives for hours, and two profiles on
 * one machine share its places and the version of its browser.
 */
export function isAnotherMachine({ cookies }: DeviceProfile, cookie: number, now: Sighting): boolean {
  const own = cookies.find(({ key }) => key === cookie)
  if (!own) return false
  const older = cookies.filter((other) => other.firstAtMs < own.firstAtMs)
  return older.some((other) => isElsewhereInTurns(own, other, now) || wentBack(own, other, now))
}

function isElsewhereInTurns(own: KnownCookie, older: KnownCookie, { address, atMs }: Sighting): boolean {
  if (address === undefined || atMs - own.firstAtMs < PRIVATE_WINDOW_MS || older.lastAtMs <= own.lastAtMs)
    return false
  const places = [address, ...own.addresses]
  return (
    places.some((place) => !older.addresses.includes(place)) &&
    older.addresses.some((place) => !places.includes(place))
  )
}

/** Browsers do not go back to an older version; where they seem to, there are two of them. */
function wentBack(own: KnownCookie, older: KnownCookie, now: Sighting): boolean {
  const isOlder = (then: number | undefined, before: number | undefined): boolean =>
    then !== undefined && before !== undefined && then < before
  return (
    isOlder(now.browserMajor, older.browserMajor) ||
    (older.lastAtMs > own.lastAtMs && isOlder(older.browserMajor, own.browserMajor))
  )
}

/**
 * Cookies beside which an older one of the device lives on, and that come from elsewhere or live on as well, as a
 * private window's does not: others may be among them.
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

/** Two people who take turns for less than this may be one who tries another window. */
const TAKING_TURNS_MS = 86_400_000
const VISITS_MIN = 3

/**
 * Whether the visitor with this cookie is somebody else than whom the device is known for: both cookies live
 * on in turns, and each has always asked for other languages than the other. A new cookie alone is the same
 * visitor: people clear cookies far more often than they share a machine.
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
