import { DAY_MS } from '../lib/durations.ts'
import type { DeviceProfile, KnownCookie } from '../visit/known-device.ts'
import { FOR_LIFE } from './compare.ts'
import type { ComponentName, Components } from './components.ts'

const EARLIER_MAX = 6
/** A machine that many share for one has many cookies, and each of them must be recognised when it comes back. */
export const COOKIES_MAX = 32
/** Cookies of private windows never come back. */
const PRIVATE_COOKIES_MAX = 3
/** So often and so long other hardware is seen before it is the device's. */
const SETTLED_VISITS = 5
const SETTLED_MS = 7 * DAY_MS
const ADDRESSES_MAX = 5
/** A cookie has one key in each origin that shares it: the ports of a host. */
const DEVICE_KEYS_MAX = 3
/** The last visit's keys take half of them; most of the others are of earlier addresses and screens. */
const KEYS_MAX = 72

/** Components whose earlier values come back in the life of one device. */
const REMEMBERED: readonly ComponentName[] = [
  'screen',
  'address',
  'prefix',
  'provider',
  'timezone',
  'languages',
  'raster',
  'gpu',
  'zoom',
]

/** Whether cookies are of private windows, as far as it became known after their visits. */
interface Windows {
  get(cookie: number): boolean | undefined
}

/** What one visit shows about its device. */
export interface Sighting {
  components: Components
  keys: readonly number[]
  cookie: Pick<KnownCookie, 'key' | 'visitorId'> | undefined
  /** The browser's key, when the cookie is to be known with it from now on. */
  deviceKey: number | undefined
  atMs: number
  /**
   * What the device is known by from now on: everything, or all but the network that a visit without a known cookie
   * came from, or nothing, when the visit contradicts its own cookie.
   */
  teaches: 'all' | 'look' | 'nothing'
  /** Whether nothing but a look ties the visit to the device. */
  isByLook: boolean
  /** Cookies whose window has become known. */
  windows: Windows
}

export function newProfile(deviceId: string, visitorId: string, sighting: Sighting): DeviceProfile {
  const { components, keys, cookie, atMs } = sighting
  return {
    deviceId,
    visitorId,
    mergedInto: undefined,
    family: components.family,
    firstAtMs: atMs,
    lastAtMs: atMs,
    visits: 1,
    values: components.values,
    earlier: {},
    settled: hardwareOf(components),
    unsettled: {},
    fonts: components.fonts,
    version: components.version,
    systemVersion: components.systemVersion,
    cookies: withCookie([], sighting),
    cookieless: cookie === undefined,
    keys,
  }
}

const hardwareOf = ({ values }: Components): Record<string, number> =>
  Object.fromEntries(FOR_LIFE.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]]])))

/** The profile after one more visit. A visit older than the last one does not change the current values. */
export function followProfile(profile: DeviceProfile, sighting: Sighting): DeviceProfile {
  const { components, keys, cookie, atMs, teaches } = sighting
  const grown = {
    ...profile,
    visits: profile.visits + 1,
    cookies: withCookie(profile.cookies, sighting),
    lastAtMs: Math.max(profile.lastAtMs, atMs),
  }
  if (teaches === 'nothing') return grown
  const listed = { ...grown, keys: [...new Set([...keys, ...profile.keys])].slice(0, KEYS_MAX) }
  if (atMs < profile.lastAtMs) return listed
  const values = teaches === 'all' ? components.values : withoutNetwork(components.values)
  return {
    ...listed,
    ...withHardware(profile, components, atMs),
    family: components.family,
    values: { ...profile.values, ...values },
    earlier: withEarlier(profile, values),
    fonts: components.fonts ?? profile.fonts,
    version: components.version.length > 0 ? components.version : profile.version,
    systemVersion: components.systemVersion.length > 0 ? components.systemVersion : profile.systemVersion,
    cookieless: cookie === undefined,
  }
}

const withoutNetwork = ({
  address: _,
  prefix: __,
  provider: ___,
  ...values
}: Components['values']): Components['values'] => values

function withHardware(
  profile: DeviceProfile,
  { values }: Components,
  atMs: number,
): Pick<DeviceProfile, 'settled' | 'unsettled'> {
  const settled = { ...profile.settled }
  const unsettled = { ...profile.unsettled }
  for (const name of FOR_LIFE) {
    const now = values[name]
    if (now === undefined) continue
    settled[name] ??= profile.values[name] ?? now
    const other = unsettled[name]
    delete unsettled[name]
    if (now === settled[name]) continue
    const seen =
      other?.value === now
        ? { ...other, visits: other.visits + 1 }
        : { value: now, firstAtMs: atMs, visits: 1 }
    if (seen.visits >= SETTLED_VISITS && atMs - seen.firstAtMs >= SETTLED_MS) settled[name] = now
    else unsettled[name] = seen
  }
  return { settled, unsettled }
}

function withEarlier(profile: DeviceProfile, values: Components['values']): DeviceProfile['earlier'] {
  const changed = REMEMBERED.flatMap((name) => {
    const before = profile.values[name]
    const now = values[name]
    if (before === undefined || now === undefined || before === now) return []
    const others = (profile.earlier[name] ?? []).filter((value) => value !== before && value !== now)
    return [[name, [before, ...others].slice(0, EARLIER_MAX)] as const]
  })
  return changed.length === 0 ? profile.earlier : { ...profile.earlier, ...Object.fromEntries(changed) }
}

function withCookie(
  cookies: readonly KnownCookie[],
  { cookie, deviceKey, components, atMs, windows, teaches, isByLook }: Sighting,
): readonly KnownCookie[] {
  const learned = withWindows(cookies, windows)
  if (!cookie) return learned
  const { address, languages } = components.values
  const known = learned.find(({ key }) => key === cookie.key)
  const isAdded = address !== undefined && (!known || teaches === 'all')
  const others = (known?.addresses ?? []).filter((other) => !isAdded || other !== address)
  const current: KnownCookie = {
    key: cookie.key,
    visitorId: cookie.visitorId,
    firstAtMs: Math.min(known?.firstAtMs ?? atMs, atMs),
    lastAtMs: Math.max(known?.lastAtMs ?? atMs, atMs),
    visits: (known?.visits ?? 0) + 1,
    languages: !known || known.languages === languages ? languages : undefined,
    browserMajor: components.version[0] ?? known?.browserMajor,
    addresses: (isAdded ? [address, ...others] : others).slice(0, ADDRESSES_MAX),
    isPrivate: components.isPrivate ?? known?.isPrivate ?? windows.get(cookie.key),
    deviceKeys: withKey(known?.deviceKeys, deviceKey),
    ...((known ? known.isByLook : isByLook) && { isByLook: true }),
  }
  return fewer([current, ...learned.filter(({ key }) => key !== cookie.key)])
}

const withKey = (before: KnownCookie['deviceKeys'], now: number | undefined): KnownCookie['deviceKeys'] =>
  now === undefined ? before : [now, ...(before ?? []).filter((key) => key !== now)].slice(0, DEVICE_KEYS_MAX)

/** The cookies, with what has become known of their windows. */
export const withWindows = (cookies: readonly KnownCookie[], windows: Windows): readonly KnownCookie[] =>
  cookies.map((known) =>
    known.isPrivate === undefined ? { ...known, isPrivate: windows.get(known.key) } : known,
  )

/** The cookies that are kept: all of the newest, and few of private windows. */
function fewer(cookies: readonly KnownCookie[]): readonly KnownCookie[] {
  let privates = 0
  return cookies
    .filter(({ isPrivate }) => !isPrivate || privates++ < PRIVATE_COOKIES_MAX)
    .slice(0, COOKIES_MAX)
}

/** One profile for two devices that proved to be the same. The newer one has the current values. */
export function joinProfiles(older: DeviceProfile, newer: DeviceProfile): DeviceProfile {
  return {
    ...newer,
    deviceId: older.deviceId,
    visitorId: older.visitorId,
    firstAtMs: Math.min(older.firstAtMs, newer.firstAtMs),
    visits: older.visits + newer.visits,
    values: { ...older.values, ...newer.values },
    earlier: withEarlier({ ...older, earlier: { ...older.earlier, ...newer.earlier } }, newer.values),
    settled: { ...newer.settled, ...older.settled },
    // Nothing but their looks says that the two are one.
    cookies: fewer([
      ...newer.cookies.map((cookie) => ({ ...cookie, isByLook: true as const })),
      ...older.cookies,
    ]),
    keys: [...new Set([...newer.keys, ...older.keys])].slice(0, KEYS_MAX),
  }
}
