/** Bytes that clients leave as they are; every other one is `%XX` with upper-case digits. */
const PLAIN = /^[A-Za-z0-9\-._~$&+,:;=@]$/

/**
 * The text of a path segment, decoded only when its escaping is canonical; any other escaping is compared
 * as the escaped text.
 */
export function canonicalSegment(segment: string): string {
  const text = decodeUtf8(segment)
  return text !== undefined && escapeSegment(text) === segment ? text : segment
}

/** A path segment as clients escape it. */
export function escapeSegment(text: string): string {
  let escaped = ''
  for (const byte of Buffer.from(text, 'utf8')) {
    const character = String.fromCharCode(byte)
    escaped += PLAIN.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
  }
  return escaped
}

/** Undefined when an escape is broken or the bytes are no UTF-8. */
function decodeUtf8(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment)
  } catch {
    return undefined
  }
}
