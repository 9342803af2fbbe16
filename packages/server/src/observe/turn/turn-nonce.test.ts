import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { issueTurnNonce, NONCE_LIFETIME_MS, turnNonceIssuedAt } from './turn-nonce.ts'
import { type TurnSource, turnSource } from './turn-source.ts'

const KEY = randomBytes(32)

function source(transport: TurnSource['transport'], peer: string, port: number): TurnSource {
  const found = turnSource(transport, peer, port)
  if (!found) throw new Error(`no source: ${peer}`)
  return found
}

const HOME = source('udp', '203.0.113.7', 50_000)

test('tells when it was issued, to the microsecond, for as long as an answer may take', () => {
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

test('holds for a dual-stack peer under either of its names', () => {
  const nonce = issueTurnNonce(KEY, source('udp', '::ffff:203.0.113.7', 50_000), 1)
  expect(turnNonceIssuedAt(KEY, HOME, nonce, 2)).toBe(1)
})

test('no byte of it can be changed, least of all its time', () => {
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
