import { expect, test } from 'vitest'
import { createSourceRateLimit, type TurnSource, turnSource } from './turn-source.ts'

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:DB8:0::1', '2001:db8::1'],
  ['fe80::1%eth0', 'fe80::1'],
])('%s is known as %s', (peer, address) => {
  expect(turnSource('udp', peer, 9)).toMatchObject({ transport: 'udp', address, port: 9 })
})

test('port 0 and invalid addresses are not a source', () => {
  expect(turnSource('udp', '192.0.2.1', 0)).toBeUndefined()
  expect(turnSource('tcp', '', 9)).toBeUndefined()
})

function from(peer: string, transport: TurnSource['transport'] = 'udp'): TurnSource {
  const source = turnSource(transport, peer, 50_000)
  if (!source) throw new Error(`no source: ${peer}`)
  return source
}

const answeredOf = (count: number, isAllowed: (source: TurnSource) => boolean, source: TurnSource): number =>
  Array.from({ length: count }, () => isAllowed(source)).filter(Boolean).length

test('a network may send a burst of 120, then 30 a second', () => {
  const clock = { ms: 5 }
  const isAllowed = createSourceRateLimit(() => clock.ms)
  expect(answeredOf(200, isAllowed, from('192.0.2.1'))).toBe(120)
  clock.ms += 1000
  expect(answeredOf(200, isAllowed, from('192.0.2.1'))).toBe(30)
  clock.ms += 3_600_000
  expect(answeredOf(200, isAllowed, from('192.0.2.1'))).toBe(120)
})

test('refused messages do not use up the limit', () => {
  const clock = { ms: 0 }
  const isAllowed = createSourceRateLimit(() => clock.ms)
  answeredOf(120, isAllowed, from('192.0.2.1'))
  const answered = Array.from({ length: 1000 }, () => {
    clock.ms += 1
    return isAllowed(from('192.0.2.1'))
  })
  expect(answered.filter(Boolean).length).toBeGreaterThanOrEqual(29)
})

test('an IPv6 /64 shares one limit; other addresses and the other transport do not', () => {
  const isAllowed = createSourceRateLimit(() => 0)
  expect(answeredOf(200, isAllowed, from('2001:db8::1'))).toBe(120)
  expect(isAllowed(from('2001:db8::ffff:2'))).toBe(false)
  expect(isAllowed(from('2001:db8:0:1::1'))).toBe(true)
  expect(answeredOf(200, isAllowed, from('192.0.2.1'))).toBe(120)
  expect(isAllowed(from('::ffff:192.0.2.1'))).toBe(false)
  expect(isAllowed(from('192.0.2.2'))).toBe(true)
  expect(isAllowed(from('192.0.2.1', 'tcp'))).toBe(true)
})
