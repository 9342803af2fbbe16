const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

/** The text if it is a UUID v4 in lower case; the agent stores nothing else. */
export const uuidOrUndefined = (text: string | null | undefined): string | undefined =>
  text && UUID_V4.test(text) ? text : undefined

/**
 * A new UUID v4 (https://www.rfc-editor.org/rfc/rfc9562#section-5.4). `crypto.randomUUID` is missing on insecure
 * origins, `getRandomValues` is not.
 */
export function newUuid(): string {
  const bytes = [...crypto.getRandomValues(new Uint8Array(16))]
  const hex = bytes.map((byte, at) => {
    if (at === 6) return hexByte((byte & 0x0f) | 0x40) // version 4
    if (at === 8) return hexByte((byte & 0x3f) | 0x80) // variant
    return hexByte(byte)
  })
  return hex.join('').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

const hexByte = (byte: number): string => byte.toString(16).padStart(2, '0')
