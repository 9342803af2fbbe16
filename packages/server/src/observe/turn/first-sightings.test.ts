import { expect, test } from 'vitest'
import type { TurnTransport } from '../../visit/network-evidence.ts'
import { createFirstSightings } from './first-sightings.ts'

const sighting = (requestId: string, transport: TurnTransport, address: string, port = 1) => ({
  requestId,
  sighting: { address, port, transport, roundTripMs: 1, engine: 'other' as const },
})

test('a place is news once for a request, whatever its port', () => {
  const isFirst = createFirstSightings()
  expect(isFirst(sighting('a', 'udp', '192.0.2.1'))).toBe(true)
  expect(isFirst(sighting('a', 'udp', '192.0.2.1', 2))).toBe(false)
  expect(isFirst(sighting('a', 'tcp', '192.0.2.1'))).toBe(true)
  expect(isFirst(sighting('a', 'udp', '192.0.2.2'))).toBe(true)
  expect(isFirst(sighting('b', 'udp', '192.0.2.1'))).toBe(true)
})

test('a credential used from everywhere makes eight sightings and no more', () => {
  const isFirst = createFirstSightings()
  const told = Array.from({ length: 300 }, (_, host) => isFirst(sighting('a', 'udp', `192.0.2.${host}`)))
  expect(told.filter(Boolean)).toHaveLength(8)
})
