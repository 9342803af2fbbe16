import { DAY_MS } from '../lib/durations.ts'
import type { DeviceProfile, KnownCookie } from '../visit/known-device.ts'
import { COOKIES_MAX } from './device-profile.ts'

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

/** What is known about look-alikes of a device. */
interface LookAlikes {
  /** Whether such a browser has one profile alone, as on phones. */
  isOneProfile: boolean
  /** Known devices with its look, and of these the ones at the visit's address. */
  clones: number
  clonesHere: number
}

/** On a desktop, so many of one look show that the look is a company's or a shop's. */
const CLONES_MANY = 2
/** More cookies in use at the same time than the profiles of one person. */
const PROFILES_MAX = 3

/**
 * Whether a cookie of this device proves to be another machine's, because an older cookie of the device is still in
 * use. A cleared cookie never returns and a private window's lives for hours. So on a phone, which has no second
 * profile, the two take turns only as two machines. On a desktop they may be two profiles, which share the machine's
 * places and browser version, unless the look has clones or there are too many of them.
 */
export function isAnotherMachine(
  profile: DeviceProfile,
  cookie: number,
  now: CookieUse,
  { isOneProfile, clones, clonesHere }: LookAlikes,
): boolean {
  const { cookies } = profile
  const own = cookies.find(({ key }) => key === cookie)
  // So many other cookies came since that it was dropped: no person has so many.
  if (!own) return cookies.length >= COOKIES_MAX
  const older = cookies.filter((other) => other.firstAtMs < own.firstAtMs)
  if (own.isPrivate && mayBePrivate(own, older, now)) return false
  if (older.some((other) => alternatesElsewhere(own, other, now) || wentBack(own, other, now))) return true
  const lasts = own.isPrivate || isLasting({ ...own, lastAtMs: Math.max(own.lastAtMs, now.atMs) })
  const inTurns = lasts && older.some((other) => isLasting(other) && other.lastAtMs > own.firstAtMs)
  if (!inTurns) return false
  return isOneProfile || clonesHere > 1 || clones >= CLONES_MANY || strangersAmong(profile) >= PROFILES_MAX
}

/**
 * Whether the cookie of what says to be a private window is one of this machine. Such a window may stay open for days, but
 * where the ordinary one is: anybody can say so, and would keep another's device in all networks.
 */
const mayBePrivate = ({ firstAtMs }: KnownCookie, older: readonly KnownCookie[], now: CookieUse): boolean =>
  now.atMs - firstAtMs < PRIVATE_WINDOW_MS ||
  older.some(({ addresses }) => now.address !== undefined && addresses.includes(now.address))

/** Whether a cookie is no private window's. */
const isLasting = ({ isPrivate, firstAtMs, lastAtMs }: KnownCookie): boolean =>
  isPrivate === false || (isPrivate === undefined && lastAtMs - firstAtMs > PRIVATE_WINDOW_MS)

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

/** A cookie that was not seen for so long before the device's last visit was cleared, or has a device of its own. */
const STRANGER_MS = 60 * DAY_MS

/** So many cookies are lost before their second visit; each further one may be another machine's. */
const SINGLES_MAX = 2
const STRANGERS_BY_SINGLE = 0.25

/**
 * The number of cookies that may belong to other machines: an older cookie of the device is still in use, or there
 * are many that came once.
 */
export function strangersAmong({ cookies, lastAtMs }: DeviceProfile): number {
  const recent = cookies.filter(({ lastAtMs: at, isPrivate }) => !isPrivate && at > lastAtMs - STRANGER_MS)
  const besides = recent.filter(
    (cookie) =>
      isLasting(cookie) &&
      cookies.some((older) => older.firstAtMs < cookie.firstAtMs && older.lastAtMs > cookie.firstAtMs),
  )
  const singles = recent.filter(({ visits }) => visits === 1).length
  return besides.length + STRANGERS_BY_SINGLE * Math.max(0, singles - SINGLES_MAX)
}

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
