import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { allocate, attribute, message, readReply } from '../../../test/turn-client.ts'
import { parseAddress } from '../../lib/address.ts'
import {
  ATTRIBUTE,
  attributeValue,
  encodeStunMessage,
  errorCode,
  hasIntegrity,
  longTermKey,
  MESSAGE,
  messageLength,
  parseStunMessage,
  xorMappedAddress,
} from './stun-message.ts'

const hex = (text: string): Buffer => Buffer.from(text.replace(/\s/g, ''), 'hex')

/** Sample request of RFC 5769 section 2.1: a short-term credential and FINGERPRINT. */
const SHORT_TERM = hex(`00010058 2112a442 b7e7a701bc34d686fa87dfae
  80220010 5354554e207465737420636c69656e74 00240004 6e0001ff 80290008 932ff9b151263b36
  00060009 6576746a3a68367659202020 00080014 9aeaa70cbfd8cb56781ef2b5b2d3f249c1b571a2 80280004 e57a3bcf`)

/** Sample request of RFC 5769 section 2.4: a long-term credential. */
const LONG_TERM = hex(`00010060 2112a442 78ad3433c6ad72c029da412e
  00060012 e3839ee38388e383aae38383e382afe382b90000
  0015001c 662f2f3439396b39353464364f4c33346f4c394653547679363473 41
  0014000b 6578616d706c652e6f726700 00080014 f67024656dd64a3e02b8e0712e85c9a28ca89666`)

const TRANSACTION = hex('b7e7a701bc34d686fa87dfae')

const withFingerprint = (bytes: Buffer): Buffer => {
  const whole = Buffer.concat([bytes, attribute(ATTRIBUTE.fingerprint, Buffer.alloc(4))])
  whole.writeUInt16BE(whole.length - 20, 2)
  whole.writeUInt32BE((crc32(whole.subarray(0, -8)) ^ 0x5354554e) >>> 0, whole.length - 4)
  return whole
}

const parsed = (bytes: Buffer) => {
  const found = parseStunMessage(bytes)
  if (!found) throw new Error('not a STUN message')
  return found
}

const address = (text: string) => {
  const found = parseAddress(text)
  if (!found) throw new Error(`no address: ${text}`)
  return found
}

describe('the samples of RFC 5769', () => {
  test('parse, and have valid integrity under their key only', () => {
    expect(hasIntegrity(parsed(SHORT_TERM), Buffer.from('VOkJxbRl1RmTxUk/WvJxBt'))).toBe(true)
    expect(hasIntegrity(parsed(SHORT_TERM), Buffer.from('VOkJxbRl1RmTxUk/WvJxBT'))).toBe(false)
    const username = attributeValue(parsed(LONG_TERM), ATTRIBUTE.username)?.toString() ?? ''
    expect(username).toBe('マトリックス')
    expect(hasIntegrity(parsed(LONG_TERM), longTermKey(username, 'example.org', 'TheMatrIX'))).toBe(true)
    expect(hasIntegrity(parsed(LONG_TERM), longTermKey(username, 'example.com', 'TheMatrIX'))).toBe(false)
  })

  test('have the same XOR-MAPPED-ADDRESS as ours', () => {
    expect(xorMappedAddress(address('192.0.2.1'), 32853, TRANSACTION).value).toEqual(hex('0001a147 e112a643'))
    expect(
      xorMappedAddress(address('2001:db8:1234:5678:11:2233:4455:6677'), 32853, TRANSACTION).value,
    ).toEqual(hex('0002a147 0113a9faa5d3f179bc25f4b5bed2b9d9'))
  })
})

test('a flipped bit in the covered bytes or in the integrity invalidates it', () => {
  const key = Buffer.from('VOkJxbRl1RmTxUk/WvJxBt')
  const fingerprintAt = SHORT_TERM.length - 8
  for (let bit = 0; bit < fingerprintAt * 8; bit += 1) {
    const changed = Buffer.from(SHORT_TERM)
    changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
    const found = parseStunMessage(changed)
    expect(found === undefined || !hasIntegrity(found, key), `bit ${bit}`).toBe(true)
  }
})

test('attributes after the integrity are ignored, except FINGERPRINT', () => {
  const trailing = attribute(ATTRIBUTE.username, 'someone else')
  const bytes = Buffer.concat([LONG_TERM, trailing])
  bytes.writeUInt16BE(bytes.length - 20, 2)
  const { attributes } = parsed(withFingerprint(bytes))
  expect(attributes.map(({ type }) => type)).toEqual([
    ATTRIBUTE.username,
    ATTRIBUTE.nonce,
    ATTRIBUTE.realm,
    ATTRIBUTE.messageIntegrity,
    ATTRIBUTE.fingerprint,
  ])
})

describe('bytes that are not a message', () => {
  const cookieless = allocate()
  cookieless.writeUInt32BE(0, 4)
  const tooLong = message(0x0003, attribute(ATTRIBUTE.username, Buffer.alloc(1004)))
  const beyondEnd = message(0x0003, hex('0006000500000000'))
  const shortMac = message(0x0003, attribute(ATTRIBUTE.messageIntegrity, Buffer.alloc(16)))
  const wrongFingerprint = message(0x0003, attribute(ATTRIBUTE.fingerprint, Buffer.alloc(4)))
  const earlyFingerprint = Buffer.concat([withFingerprint(allocate()), hex('0013000000000000')])
  earlyFingerprint.writeUInt16BE(earlyFingerprint.length - 20, 2)

  test.each([
    ['nothing', Buffer.alloc(0)],
    ['a cut header', allocate().subarray(0, 19)],
    ['a cut body', allocate().subarray(0, 24)],
    ['bytes after the end', Buffer.concat([allocate(), Buffer.alloc(4)])],
    ['no cookie', cookieless],
    ['channel data', Buffer.concat([hex('40000018'), allocate().subarray(4)])],
    ['over a kilobyte', tooLong],
    ['an attribute beyond the end', beyondEnd],
    ['an integrity of another length', shortMac],
    ['a wrong FINGERPRINT', wrongFingerprint],
    ['a FINGERPRINT that is not last', earlyFingerprint],
  ])('%s', (_name, bytes) => expect(parseStunMessage(bytes)).toBeUndefined())
})

test('hostile bytes never throw', () => {
  const bytes = fc.uint8Array({ maxLength: 400 }).map((array) => Buffer.from(array))
  const headed = bytes.map((body) => message(0x0003, body.subarray(0, body.length & ~3)))
  const mutated = fc
    .array(fc.tuple(fc.nat(SHORT_TERM.length - 1), fc.nat(255)), { maxLength: 6 })
    .map((changes) => {
      const changed = Buffer.from(SHORT_TERM)
      for (const [offset, byte] of changes) changed.writeUInt8(byte, offset)
      return changed
    })
  fc.assert(
    fc.property(fc.oneof(bytes, headed, headed.map(withFingerprint), mutated), (hostile) => {
      if (hostile.length >= 4) messageLength(hostile)
      const found = parseStunMessage(hostile)
      if (found) hasIntegrity(found, Buffer.alloc(16))
    }),
    { numRuns: 5000 },
  )
})

test('encoded messages parse back, with padding and integrity', () => {
  const key = longTermKey('a', 'b', 'c')
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 5 }), (values) => {
      const attributes = values.map((value) => ({ type: ATTRIBUTE.username, value: Buffer.from(value) }))
      const bytes = encodeStunMessage({ type: 0x0003, transactionId: TRANSACTION, attributes }, key)
      const found = parsed(bytes)
      expect(found.attributes.slice(0, -1)).toEqual(attributes)
      expect(found.transactionId).toEqual(TRANSACTION)
      expect(hasIntegrity(found, key)).toBe(true)
      expect(hasIntegrity(found, longTermKey('a', 'b', 'd'))).toBe(false)
    }),
  )
})

test('another implementation reads the number of an error', () => {
  const attributes = [errorCode(438)]
  const bytes = encodeStunMessage({ type: MESSAGE.allocateError, transactionId: TRANSACTION, attributes })
  expect(readReply(bytes)).toMatchObject({ type: 0x0113, code: 438 })
})
