import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { isIP } from 'node:net'

/*
 * A body whose bytes are in the cold storage. The row keeps where they are and the key that they were encrypted under,
 * which exists nowhere else: without the row nobody can read them, whoever has the object.
 *
 * Byte 0 is `COLD`, which `packed-text.ts` uses for nothing else; then the object (8), offset and length of the bytes in it
 * (4 each, big-endian) and the key (32). What follows is JSON: the addresses that an erasure has to find.
 */

const COLD = 0x40
const OBJECT_AT = 1
const OFFSET_AT = 9
const LENGTH_AT = 13
const KEY_AT = 17
const ADDRESSES_AT = 49

/** A key encrypts one body only, so the nonce may always be the same. */
const NONCE = Buffer.alloc(12)
const TAG_BYTES = 16

/** Whose body it is. */
export interface BodyOwner {
  kind: 'snapshot' | 'delivery'
  domainId: number
  /** Of the identification or of the delivery. */
  id: number
}

export interface ColdBody {
  /** Hexadecimal. */
  object: string
  offset: number
  length: number
  key: Uint8Array
  /** Addresses in the text, of visits whose network check saw some. */
  addresses: readonly string[]
}

export const isCold = (body: Uint8Array): boolean => body[0] === COLD

/** @returns undefined for a body that is in the row */
export function readColdBody(body: Uint8Array): ColdBody | undefined {
  if (!isCold(body)) return undefined
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.length)
  return {
    object: bytes.toString('hex', OBJECT_AT, OFFSET_AT),
    offset: bytes.readUInt32BE(OFFSET_AT),
    length: bytes.readUInt32BE(LENGTH_AT),
    key: bytes.subarray(KEY_AT, ADDRESSES_AT),
    addresses:
      bytes.length > ADDRESSES_AT ? (JSON.parse(bytes.toString('utf8', ADDRESSES_AT)) as string[]) : [],
  }
}

export function writeColdBody({ object, offset, length, key, addresses }: ColdBody): Uint8Array {
  const bytes = Buffer.alloc(ADDRESSES_AT)
  bytes[0] = COLD
  bytes.write(object, OBJECT_AT, 'hex')
  bytes.writeUInt32BE(offset, OFFSET_AT)
  bytes.writeUInt32BE(length, LENGTH_AT)
  bytes.set(key, KEY_AT)
  return addresses.length === 0 ? bytes : Buffer.concat([bytes, Buffer.from(JSON.stringify(addresses))])
}

/** A name that no other object has, of this or of any other installation. */
export const newObjectId = (): string => randomBytes(OFFSET_AT - OBJECT_AT).toString('hex')

/** Encrypts a body under a key of its own. */
export function sealBody(owner: BodyOwner, body: Uint8Array): { sealed: Buffer; key: Buffer } {
  const key = randomBytes(ADDRESSES_AT - KEY_AT)
  const cipher = createCipheriv('aes-256-gcm', key, NONCE)
  cipher.setAAD(nameOf(owner))
  return { sealed: Buffer.concat([cipher.update(body), cipher.final(), cipher.getAuthTag()]), key }
}

/** @throws when the bytes are not what was sealed for this row */
export function openBody(owner: BodyOwner, key: Uint8Array, sealed: Uint8Array): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, NONCE, { authTagLength: TAG_BYTES })
  decipher.setAAD(nameOf(owner))
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
  return Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()])
}

/** The bytes of one row never pass as those of another. */
const nameOf = ({ kind, domainId, id }: BodyOwner): Buffer => Buffer.from(`${kind} ${domainId} ${id}`)

const ADDRESS = /"([0-9a-f:.]{3,45})"/g

/** Every address that stands in a JSON text as a value. */
export const addressesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(ADDRESS)].flatMap(([, value = '']) => (isIP(value) ? [value] : []))),
]
