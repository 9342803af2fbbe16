import { createHmac, randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  issueTurnCredential,
  issueTurnNonce,
  NONCE_LIFETIME_MS,
  requestIdOfUsername,
  turnNonceIssuedAt,
} from './turn-credentials.ts'
import { type TurnSource, turnSource } from './turn-source.ts'

const SECRET = Buffer.from('north')
const REQUEST = '0b7c1d1e-5b3f-4a55-9d6c-0a2b8f4f1c11'
const NOW_MS = 1_800_000_000_500

test('carries the request ID and its expiry, with a password derived from the secret', () => {
  const { username, credential } = issueTurnCredential(SECRET, REQUEST, NOW_MS)
  expect(username).toBe(`1800000060:${REQUEST}`)
  expect(credential).toBe(createHmac('sha1', 'north').update(username).digest('base64'))
})

test('is accepted until it expires', () => {
  const { username } = issueTurnCredential(SECRET, REQUEST, NOW_MS)
  expect(requestIdOfUsername(username, 1_800_000_059_999)).toBe(REQUEST)
  expect(requestIdOfUsername(username, 1_800_000_060_000)).toBeUndefined()
})

test.each([
  '',
  ':',
  `:${REQUEST}`,
  '1800000060:',
  `-1:${REQUEST}`,
  `1e12:${REQUEST}`,
  `1800000060:${REQUEST}\n`,
])('names no request: %j', (username) => expect(requestIdOfUsername(username, 0)).toBeUndefined())

const KEY = randomBytes(32)

function source(transport: TurnSource['transport'], peer: string, port: number): TurnSource {
  const found = turnSource(transport, peer, port)
  if (!found) throw new Error(`no source: ${peer}`)
  return found
}

const HOME = source('udp', '203.0.113.7', 50_000)

test('gives its time of issue to the microsecond until it expires', () => {
  const nonce = issueTurnNonce(KEY, HOME, 1234.5678)
  expect(turnNonceIssuedAt(KEY, HOME, nonce, 1300)).toBe(1234.567)
  expect(turnNonceIssuedAt(KEY, HOME, nonce, 1234 + NONCE_LIFETIME_MS)).toBe(1234.567)
  expect(turnNonceIssuedAt(KEY, HOME, nonce, 1235 + NONCE_LIFETIME_MS)).toBeUndefined()
})

test.each([
  ['another port', source('udp', '203.0.113.7', 50_001)],
  ['another address', source('udp', '203.0.113.8', 50_000)],
  ['the other transport', source('tcp', '203.0.113.7', 50_000)],
])('holds nothing for %s', (_name, other) => {
  expect(turnNonceIssuedAt(KEY, other, issueTurnNonce(KEY, HOME, 1), 2)).toBeUndefined()
})

test('is valid for both notations of a dual-stack peer', () => {
  const nonce = issueTurnNonce(KEY, source('udp', '::ffff:203.0.113.7', 50_000), 1)
  expect(turnNonceIssuedAt(KEY, HOME, nonce, 2)).toBe(1)
})

test('cannot be changed in any byte, its time included', () => {
  const nonce = issueTurnNonce(KEY, HOME, 1000)
  expect(turnNonceIssuedAt(randomBytes(32), HOME, nonce, 1001)).toBeUndefined()
  for (let index = 0; index < nonce.length; index += 1) {
    const other = nonce[index] === 'A' ? 'B' : 'A'
    const changed = nonce.slice(0, index) + other + nonce.slice(index + 1)
    expect(turnNonceIssuedAt(KEY, HOME, changed, 1001), changed).toBeUndefined()
  }
  for (const garbage of ['', 'x', `${nonce}A`, '!'.repeat(24), 'é'.repeat(24)])
    expect(turnNonceIssuedAt(KEY, HOME, garbage, 1001)).toBeUndefined()
})
