import { type DeviceNumber, type KeyMatch, LISTED_MAX } from '../visit/known-device.ts'
import type { Keys } from './keys.ts'

/** More candidates than this would cost time and tell nobody apart. */
const CANDIDATES_MAX = 20

/** Every key by which devices like the visit's are found or counted. */
export const allKeys = ({ listed, counted }: Keys): number[] => [
  ...listed.values(),
  ...Object.values(counted),
]

/** Devices under the keys that the fewest share, first. A key of a larger group would tell nobody apart. */
export function candidateNumbers({ listed }: Keys, matches: ReadonlyMap<number, KeyMatch>): DeviceNumber[] {
  const found = [...listed.values()]
    .flatMap((key) => matches.get(key) ?? [])
    .filter(({ devices }) => devices <= LISTED_MAX)
    .sort((a, b) => a.devices - b.devices)
  return [...new Set(found.flatMap((match) => match.listed))].slice(0, CANDIDATES_MAX)
}
