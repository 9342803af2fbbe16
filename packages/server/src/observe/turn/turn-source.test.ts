import { expect, test } from 'vitest'
import { turnSource } from './turn-source.ts'

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['2001:DB8:0::1', '2001:db8::1'],
  ['fe80::1%eth0', 'fe80::1'],
])('%s is known as %s', (peer, address) => {
  expect(turnSource('udp', peer, 9)).toMatchObject({ transport: 'udp', address, port: 9 })
})

test('nobody is at port 0, nor at what is no address', () => {
  expect(turnSource('udp', '192.0.2.1', 0)).toBeUndefined()
  expect(turnSource('tcp', '', 9)).toBeUndefined()
})
