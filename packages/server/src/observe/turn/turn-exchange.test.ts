import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { allocate, authenticated, readReply } from '../../../test/turn-client.ts'
import { ATTRIBUTE } from './stun-message.ts'
import { issueTurnCredential } from './turn-credentials.ts'
import { createTurnExchange, turnEngine } from './turn-exchange.ts'
import type { RequestSighting } from './turn-responder.ts'
import { turnSource } from './turn-source.ts'

const SECRET = randomBytes(32)
const SOURCE = turnSource('udp', '2001:db8::7', 50_000)

/** An exchange in which the browser is about to answer its challenge. */
function aboutToAnswer() {
  if (!SOURCE) throw new Error('no source')
  const seen: RequestSighting[] = []
  const exchange = createTurnExchange({
    secret: SECRET,
    now: () => 0,
    monotonicMs: () => 0,
    onSighting: (sighting) => seen.push(sighting),
  })
  const ask = (bytes: Buffer) => exchange(bytes, SOURCE)
  const challenge = readReply(ask(allocate())?.reply ?? Buffer.alloc(20))
  return { ask, seen, answer: authenticated(issueTurnCredential(SECRET, 'request', 0), challenge) }
}

test('an authenticated request with any flipped bit is rejected', () => {
  const { ask, seen, answer } = aboutToAnswer()
  for (let bit = 0; bit < answer.length * 8; bit += 1) {
    const changed = Buffer.from(answer)
    changed.writeUInt8(changed.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
    ask(changed)
    expect(seen, `bit ${bit}`).toEqual([])
  }
  ask(answer)
  expect(seen).toHaveLength(1)
})

test('hostile bytes never throw and never cause a sighting', () => {
  const { ask, seen, answer } = aboutToAnswer()
  const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array))
  const change = fc.tuple(fc.nat(answer.length - 1), fc.integer({ min: 1, max: 255 }))
  const mutated = fc.array(change, { minLength: 1, maxLength: 4 }).map((changes) => {
    const changed = Buffer.from(answer)
    for (const [offset, mask] of changes) changed.writeUInt8(changed.readUInt8(offset) ^ mask, offset)
    return changed
  })
  fc.assert(
    fc.property(fc.oneof(bytes, mutated), (hostile) => {
      fc.pre(!hostile.equals(answer))
      ask(hostile)
      expect(seen).toEqual([])
    }),
    { numRuns: 3000 },
  )
})

const engineOf = (...names: (keyof typeof ATTRIBUTE)[]) =>
  turnEngine({
    type: 0x0003,
    transactionId: Buffer.alloc(12),
    attributes: names.map((name) => ({ type: ATTRIBUTE[name], value: Buffer.alloc(0) })),
    integrity: undefined,
  })

test('both engines are recognised by their exact attributes', () => {
  expect(engineOf('requestedTransport', 'username', 'realm', 'nonce', 'messageIntegrity')).toBe('libwebrtc')
  expect(
    engineOf(
      'requestedTransport',
      'lifetime',
      'username',
      'realm',
      'nonce',
      'messageIntegrity',
      'fingerprint',
    ),
  ).toBe('gecko')
})

test('any other list of attributes is neither engine', () => {
  expect(engineOf('requestedTransport', 'username', 'nonce', 'realm', 'messageIntegrity')).toBe('other')
  expect(
    engineOf('requestedTransport', 'username', 'realm', 'nonce', 'messageIntegrity', 'fingerprint'),
  ).toBe('other')
  expect(engineOf('requestedTransport', 'lifetime', 'username', 'realm', 'nonce', 'messageIntegrity')).toBe(
    'other',
  )
})
