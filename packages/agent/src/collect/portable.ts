/** The most that the ingest body takes of each; see READINGS in the contract. */
const TEXT_LENGTH_MAX = 2_048
const NAME_LENGTH_MAX = 256
const NAMES_MAX = 512

/**
 * A copy that the wire can carry. The server refuses a body with one wrong value in it, and a page or an
 * extension may have put anything into the browser's objects: such a reading has to fail alone.
 */
export function portable(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, function (this: unknown, _key, part: unknown) {
      if (part === undefined || (typeof part === 'number' && !Number.isFinite(part)))
        throw new TypeError('not for JSON')
      if (typeof part === 'string')
        return part.slice(0, Array.isArray(this) ? NAME_LENGTH_MAX : TEXT_LENGTH_MAX)
      return Array.isArray(part) ? part.slice(0, NAMES_MAX) : part
    }),
  )
}
