const ESCAPED = /[&<>\u2028\u2029]/g
const unicodeEscape = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

const encoder = new TextEncoder()

/** The bytes of an event: compact JSON in which `&`, `<`, `>`, U+2028 and U+2029 are escaped. */
export const eventJson = (event: object): Uint8Array =>
  encoder.encode(JSON.stringify(event).replace(ESCAPED, unicodeEscape))

/** RFC 3339 UTC with trailing zeros of the fraction trimmed. */
export const eventTime = (atMs: number): string => new Date(atMs).toISOString().replace(/\.?0*Z$/, 'Z')

/** RFC 3339 UTC to the second. */
export const eventSecond = (atMs: number): string => new Date(atMs).toISOString().replace(/\.\d+Z$/, 'Z')

const TYPE = /^\{"event_type":"([a-z.]+)"/
const TYPE_BYTES_MAX = 64

/** The type that an event names first. */
export const eventTypeOf = (body: Uint8Array): string =>
  TYPE.exec(Buffer.from(body.subarray(0, TYPE_BYTES_MAX)).toString())?.[1] ?? 'identification.scored'
