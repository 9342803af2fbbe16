import { createHash } from 'node:crypto'
import { isUuid, NIL_UUID } from '@inkling/contract/identifiers'

/** A UUID as it is stored: 16 bytes. */
export type UuidBytes = Uint8Array

export const NIL_UUID_BYTES: UuidBytes = new Uint8Array(16)

/**
 * The bytes of a well-formed UUID of any version; undefined for anything else. They have memory of their
 * own: a slice of Node's pool would take the whole pool along to another thread.
 */
export function uuidToBytes(text: string): UuidBytes | undefined {
  if (!isUuid(text)) return undefined
  const bytes = new Uint8Array(16)
  let at = 0
  for (let index = 0; index < 16; index++) {
    if (text[at] === '-') at += 1
    bytes[index] = hexDigit(text, at) * 16 + hexDigit(text, at + 1)
    at += 2
  }
  return bytes
}

/** The codes of letters end in 1 to 6 and have the bit 64, those of digits end in their value. */
function hexDigit(text: string, at: number): number {
  const code = text.charCodeAt(at)
  return (code & 15) + (code >>> 6) * 9
}

/** The bytes of a UUID that may be missing or malformed: those count as the nil UUID. */
export const uuidBytesOrNil = (text: string | undefined): UuidBytes =>
  (text === undefined ? undefined : uuidToBytes(text)) ?? NIL_UUID_BYTES

export function uuidToText(bytes: UuidBytes): string {
  const hex = bytes.toHex()
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** A missing or malformed identifier is stored as the nil UUID. */
export const uuidOrNil = (text: string | undefined): string =>
  text !== undefined && isUuid(text) ? text.toLowerCase() : NIL_UUID

/** Name-based UUID, version 5 (RFC 9562, section 5.5). */
export function uuidV5(namespace: string, name: string): string {
  const space = uuidToBytes(namespace)
  if (!space) throw new TypeError('the namespace must be a UUID')
  const bytes = createHash('sha1').update(space).update(name).digest().subarray(0, 16)
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x50, 6)
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8)
  return uuidToText(bytes)
}
