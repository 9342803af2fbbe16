import type { DeviceProfile, KnownCookie } from '../visit/known-device.ts'
import type { ComponentName, Components } from './components.ts'

const EARLIER_MAX = 6
const COOKIES_MAX = 6
const ADDRESSES_MAX = 5
/** The last visit's keys take half of them; most of the others are of earlier addresses and screens. */
const KEYS_MAX = 72

/** Components whose earlier values come back in the life of one device. */
const REMEMBERED: readonly ComponentName[] = [
  'screen',
  'address',
  'prefix',
  'timezone',
  'languages',
  'raster',
  'gpu',
  'zoom',
]

/** What one visit shows about its device. */
export interface Sighting {
  components: Components
  keys: readonly number[]
  cookie: Pick<KnownCookie, 'key' | 'visitorId'> | undefined
  atMs: number
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
    fonts: components.fonts,
    version: components.version,
    systemVersion: components.systemVersion,
    cookies: withCookie([], sighting),
    cookieless: cookie === undefined,
    keys,
  }
}

/** The profile after one more visit. A visit older than the last one does not change the current values. */
export function followProfile(profile: DeviceProfile, sighting: Sighting): DeviceProfile {
  const { components, keys, cookie, atMs } = sighting
  const grown = {
    ...profile,
    visits: profile.visits + 1,
    cookies: withCookie(profile.cookies, sighting),
    keys: [...new Set([...keys, ...profile.keys])].slice(0, KEYS_MAX),
  }
  if (atMs < profile.lastAtMs) return grown
  return {
    ...grown,
    family: components.family,
    lastAtMs: atMs,
    values: { ...profile.values, ...components.values },
    earlier: withEarlier(profile, components.values),
    fonts: components.fonts ?? profile.fonts,
    version: components.version.length > 0 ? components.version : profile.version,
    systemVersion: components.systemVersion.length > 0 ? components.systemVersion : profile.systemVersion,
    cookieless: cookie === undefined,
  }
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
  { cookie, components, atMs }: Sighting,
): readonly KnownCookie[] {
  if (!cookie) return cookies
  const { address, languages } = components.values
  const known = cookies.find(({ key }) => key === cookie.key)
  const others = (known?.addresses ?? []).filter((other) => other !== address)
  const current: KnownCookie = {
    key: cookie.key,
    visitorId: cookie.visitorId,
    firstAtMs: Math.min(known?.firstAtMs ?? atMs, atMs),
    lastAtMs: Math.max(known?.lastAtMs ?? atMs, atMs),
    visits: (known?.visits ?? 0) + 1,
    languages: !known || known.languages === languages ? languages : undefined,
    browserMajor: components.version[0] ?? known?.browserMajor,
    addresses: (address === undefined ? others : [address, ...others]).slice(0, ADDRESSES_MAX),
  }
  return [current, ...cookies.filter(({ key }) => key !== cookie.key)].slice(0, COOKIES_MAX)
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
    cookies: [...newer.cookies, ...older.cookies].slice(0, COOKIES_MAX),
    keys: [...new Set([...newer.keys, ...older.keys])].slice(0, KEYS_MAX),
  }
}
