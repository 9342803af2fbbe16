import type { NewKey } from '../../visit/known-device.ts'

/** Of keys that count for no spread. */
const NO_KIND = -1
const NUMBERS_PER_KEY = 3

/** Key, kind and whether it is listed, in turn: half a hundred objects would cost more to copy than all the rest. */
export const encodeNewKeys = (keys: readonly NewKey[]): Uint8Array =>
  new Uint8Array(
    Float64Array.from(keys.flatMap(({ key, kind, listed }) => [key, kind ?? NO_KIND, listed ? 1 : 0])).buffer,
  )

export function decodeNewKeys(bytes: Uint8Array): NewKey[] {
  // A copy, as numbers must lie on multiples of eight bytes.
  const numbers = new Float64Array(Uint8Array.from(bytes).buffer)
  return Array.from({ length: numbers.length / NUMBERS_PER_KEY }, (_, index) => {
    const [key = 0, kind = NO_KIND, listed = 0] = numbers.subarray(index * NUMBERS_PER_KEY)
    return { key, kind: kind === NO_KIND ? undefined : kind, listed: listed === 1 }
  })
}
