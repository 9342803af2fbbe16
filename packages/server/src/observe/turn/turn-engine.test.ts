import { expect, test } from 'vitest'
import { ATTRIBUTE } from './stun-message.ts'
import { turnEngine } from './turn-engine.ts'

const engineOf = (...names: (keyof typeof ATTRIBUTE)[]) =>
  turnEngine({
    type: 0x0003,
    transactionId: Buffer.alloc(12),
    attributes: names.map((name) => ({ type: ATTRIBUTE[name], value: Buffer.alloc(0) })),
    integrity: undefined,
  })

test('the two engines are told by their whole form', () => {
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

test('a form that differs in anything is neither', () => {
  expect(engineOf('requestedTransport', 'username', 'nonce', 'realm', 'messageIntegrity')).toBe('other')
  expect(
    engineOf('requestedTransport', 'username', 'realm', 'nonce', 'messageIntegrity', 'fingerprint'),
  ).toBe('other')
  expect(engineOf('requestedTransport', 'lifetime', 'username', 'realm', 'nonce', 'messageIntegrity')).toBe(
    'other',
  )
})
