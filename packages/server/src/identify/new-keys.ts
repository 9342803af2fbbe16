import type { DeviceProfile, KeyMatch, NewKey } from '../visit/known-device.ts'
import { type Keys, KINDS } from './keys.ts'

/**
 * Keys that the device does not have yet.
 * @param cookie undefined where there is none, or where the device is found by it already
 */
export function newKeys(
  profile: DeviceProfile | undefined,
  keys: Keys,
  cookie: number | undefined,
): NewKey[] {
  const own = new Set(profile?.keys)
  return [
    ...(cookie === undefined ? [] : [{ key: cookie, kind: undefined, listed: true }]),
    ...[...keys.listed].flatMap(([index, key]) =>
      own.has(key) ? [] : [{ key, kind: KINDS[index]?.without ? index : undefined, listed: true }],
    ),
    ...Object.values(keys.counted).flatMap((key) =>
      own.has(key) ? [] : [{ key, kind: undefined, listed: false }],
    ),
  ]
}

/** The counts without a device that is in them itself. */
export function withoutItself(
  matches: ReadonlyMap<number, KeyMatch>,
  { keys }: DeviceProfile,
): ReadonlyMap<number, KeyMatch> {
  const own = new Set(keys)
  return new Map(
    [...matches].map(([key, match]) => [
      key,
      own.has(key) ? { ...match, devices: match.devices - 1 } : match,
    ]),
  )
}
