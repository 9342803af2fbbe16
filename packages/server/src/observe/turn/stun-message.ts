import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { ParsedAddress } from '../../lib/address.ts'

/**
 * Message types, method and class in one number: https://www.rfc-editor.org/rfc/rfc8489#section-5 and
 * https://www.rfc-editor.org/rfc/rfc8656#section-17
 */
export const MESSAGE = {
  bindingRequest: 0x0001,
  bindingSuccess: 0x0101,
  allocateRequest: 0x0003,
  allocateError: 0x0113,
} as const

/** https://www.rfc-editor.org/rfc/rfc8489#section-18.3 and https://www.rfc-editor.org/rfc/rfc8656#section-18 */
export const ATTRIBUTE = {
  username: 0x0006,
  messageIntegrity: 0x0008,
  errorCode: 0x0009,
  lifetime: 0x000d,
  realm: 0x0014,
  nonce: 0x0015,
  requestedTransport: 0x0019,
  xorMappedAddress: 0x0020,
  fingerprint: 0x8028,
} as const

export interface StunAttribute {
  type: number
  value: Buffer
}

export interface StunMessage {
  type: number
  /** 12 bytes. */
  transactionId: Buffer
  /** In order. After MESSAGE-INTEGRITY only FINGERPRINT is included. */
  attributes: readonly StunAttribute[]
  /** The value of MESSAGE-INTEGRITY and the bytes it covers; undefined without one. */
  integrity: { mac: Buffer; covered: Buffer } | undefined
}

const HEADER_BYTES = 20
/** The longest message of a browser has under 200 bytes. */
export const MESSAGE_BYTES_MAX = 1024
/** Magic cookie and FINGERPRINT mask: https://www.rfc-editor.org/rfc/rfc8489#section-5 and #section-14.7 */
const COOKIE = 0x2112a442
const FINGERPRINT_XOR = 0x5354554e
const MAC_BYTES = 20

/**
 * Length of the message in bytes, header included; undefined when this is not the start of a STUN message or the
 * message is too long.
 * @param bytes at least the first four bytes of the message
 */
export function messageLength(bytes: Buffer): number | undefined {
  const length = HEADER_BYTES + bytes.readUInt16BE(2)
  const wellFormed = bytes.readUInt8(0) < 0x40 && length % 4 === 0 && length <= MESSAGE_BYTES_MAX
  return wellFormed ? length : undefined
}

/** Parses exactly one message. Undefined for any other bytes and for a wrong FINGERPRINT. */
export function parseStunMessage(bytes: Buffer): StunMessage | undefined {
  if (bytes.length < HEADER_BYTES || messageLength(bytes) !== bytes.length) return undefined
  if (bytes.readUInt32BE(4) !== COOKIE) return undefined
  const attributes: StunAttribute[] = []
  let integrity: StunMessage['integrity']
  let offset = HEADER_BYTES
  while (offset < bytes.length) {
    const type = bytes.readUInt16BE(offset)
    const end = offset + 4 + bytes.readUInt16BE(offset + 2)
    if (end > bytes.length) return undefined
    const value = bytes.subarray(offset + 4, end)
    if (type === ATTRIBUTE.fingerprint) {
      if (end !== bytes.length || !isFingerprint(value, bytes.subarray(0, offset))) return undefined
      attributes.push({ type, value })
    } else if (integrity === undefined) {
      // MESSAGE-INTEGRITY does not cover the attributes after it, so they are ignored.
      attributes.push({ type, value })
      if (type === ATTRIBUTE.messageIntegrity) {
        if (value.length !== MAC_BYTES) return undefined
        integrity = { mac: value, covered: bytes.subarray(0, offset) }
      }
    }
    offset = padded(end)
  }
  return {
    type: bytes.readUInt16BE(0),
    transactionId: bytes.subarray(8, HEADER_BYTES),
    attributes,
    integrity,
  }
}

const padded = (length: number): number => (length + 3) & ~3

const isFingerprint = (value: Buffer, covered: Buffer): boolean =>
  value.length === 4 && value.readUInt32BE(0) === (crc32(covered) ^ FINGERPRINT_XOR) >>> 0

export const attributeValue = ({ attributes }: StunMessage, type: number): Buffer | undefined =>
  attributes.find((attribute) => attribute.type === type)?.value

/** Key of the long-term credential; every browser supports MD5. https://www.rfc-editor.org/rfc/rfc8489#section-9.2.2 */
export const longTermKey = (username: string, realm: string, password: string): Buffer =>
  createHash('md5').update(`${username}:${realm}:${password}`).digest()

/** Whether the message's integrity is valid under `key`. */
export function hasIntegrity({ integrity }: StunMessage, key: Buffer): boolean {
  return integrity !== undefined && timingSafeEqual(integrity.mac, integrityMac(integrity.covered, key))
}

/** HMAC over the bytes before the attribute, with a header length that already includes the attribute. */
function integrityMac(before: Buffer, key: Buffer): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(before.length - HEADER_BYTES + 4 + MAC_BYTES)
  return createHmac('sha1', key)
    .update(before.subarray(0, 2))
    .update(length)
    .update(before.subarray(4))
    .digest()
}

/** @param key appends a MESSAGE-INTEGRITY under this key */
export function encodeStunMessage(
  { type, transactionId, attributes }: Omit<StunMessage, 'integrity'>,
  key?: Buffer,
): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt16BE(type, 0)
  header.writeUInt32BE(COOKIE, 4)
  transactionId.copy(header, 8)
  const parts = [header, ...attributes.map(encodeAttribute)]
  if (key !== undefined) {
    const mac = integrityMac(Buffer.concat(parts), key)
    parts.push(encodeAttribute({ type: ATTRIBUTE.messageIntegrity, value: mac }))
  }
  const message = Buffer.concat(parts)
  message.writeUInt16BE(message.length - HEADER_BYTES, 2)
  return message
}

function encodeAttribute({ type, value }: StunAttribute): Buffer {
  const bytes = Buffer.alloc(4 + padded(value.length))
  bytes.writeUInt16BE(type, 0)
  bytes.writeUInt16BE(value.length, 2)
  value.copy(bytes, 4)
  return bytes
}

/** No reason phrase, to keep the response short. */
export const errorCode = (code: 400 | 401 | 403 | 438): StunAttribute => ({
  type: ATTRIBUTE.errorCode,
  value: Buffer.from([0, 0, Math.trunc(code / 100), code % 100]),
})

export function xorMappedAddress(address: ParsedAddress, port: number, transactionId: Buffer): StunAttribute {
  const words = address.family === 4 ? [address.value] : address.words
  const value = Buffer.alloc(4 + words.length * 4)
  value.writeUInt8(address.family === 4 ? 1 : 2, 1)
  value.writeUInt16BE(port ^ (COOKIE >>> 16), 2)
  const mask = [COOKIE, ...[0, 4, 8].map((offset) => transactionId.readUInt32BE(offset))]
  words.forEach((word, index) => {
    value.writeUInt32BE((word ^ (mask[index] ?? 0)) >>> 0, 4 + index * 4)
  })
  return { type: ATTRIBUTE.xorMappedAddress, value }
}
