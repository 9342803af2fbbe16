import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { ParsedAddress } from '../../lib/parse-address.ts'

/** Message types of RFC 8489 and RFC 8656: method and class in one number. */
export const MESSAGE = {
  bindingRequest: 0x0001,
  bindingSuccess: 0x0101,
  allocateRequest: 0x0003,
  allocateError: 0x0113,
} as const

/** Attribute types of RFC 8489 and RFC 8656. */
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
  /** In the order of the message, up to MESSAGE-INTEGRITY and FINGERPRINT. */
  attributes: readonly StunAttribute[]
  /** What MESSAGE-INTEGRITY says and the bytes it says it of; undefined without one. */
  integrity: { mac: Buffer; covered: Buffer } | undefined
}

export const HEADER_BYTES = 20
/** A browser's longest message to us has under 200 bytes. */
export const MESSAGE_BYTES_MAX = 1024
const COOKIE = 0x2112a442
const FINGERPRINT_XOR = 0x5354554e
const MAC_BYTES = 20

/**
 * Bytes of the message that starts here, its header included; undefined when no STUN message of a length
 * that we read can start so.
 * @param bytes at least the first four of the message
 */
export function messageLength(bytes: Buffer): number | undefined {
  const length = HEADER_BYTES + bytes.readUInt16BE(2)
  const wellFormed = bytes.readUInt8(0) < 0x40 && length % 4 === 0 && length <= MESSAGE_BYTES_MAX
  return wellFormed ? length : undefined
}

/** Exactly one message; undefined for any other bytes, and when its FINGERPRINT is wrong. */
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
      // What follows the MESSAGE-INTEGRITY is not covered by it and says nothing.
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

/** Key of the long-term credential, RFC 8489 section 9.2.2. MD5 is what every browser speaks. */
export const longTermKey = (username: string, realm: string, password: string): Buffer =>
  createHash('md5').update(`${username}:${realm}:${password}`).digest()

/** Whether the sender of the message held `key`. */
export function hasIntegrity({ integrity }: StunMessage, key: Buffer): boolean {
  return integrity !== undefined && timingSafeEqual(integrity.mac, integrityMac(integrity.covered, key))
}

/** Over all bytes before the attribute, while the header's length already counts the attribute. */
function integrityMac(before: Buffer, key: Buffer): Buffer {
  const length = Buffer.alloc(2)
  length.writeUInt16BE(before.length - HEADER_BYTES + 4 + MAC_BYTES)
  return createHmac('sha1', key)
    .update(before.subarray(0, 2))
    .update(length)
    .update(before.subarray(4))
    .digest()
}

/** @param key of the MESSAGE-INTEGRITY to end with; without one there is none */
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

/** Without a reason phrase: programs read the number, and the answer stays short. */
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
