import type { EntityGraph } from '@inkling/contract/account'
import { expect, test } from 'vitest'
import { filterNetwork, joinGraphs } from './entity-network.ts'

const NOTHING_LEFT = { device_id: 0, visitor_id: 0, user_hid: 0, ip: 0, local_ip: 0, cookie_id: 0 }
const [MONDAY, TUESDAY] = ['2026-10-05T00:00:00.000Z', '2026-10-06T00:00:00.000Z']

/** Ada uses d1 and an address. */
const ada: EntityGraph = {
  nodes: [
    { type: 'user_hid', value: 'ada', identifications: 9 },
    { type: 'device_id', value: 'd1', identifications: 4 },
    { type: 'ip', value: '1.2.3.4', identifications: 1 },
  ],
  edges: [
    { from: 0, to: 1, identifications: 4, last_seen_at: MONDAY },
    { from: 0, to: 2, identifications: 1, last_seen_at: TUESDAY },
  ],
  more: { ...NOTHING_LEFT, device_id: 4, ip: 1 },
}

/** And so does Bob, on the same device. */
const device: EntityGraph = {
  nodes: [
    { type: 'device_id', value: 'd1', identifications: 7 },
    { type: 'user_hid', value: 'ada', identifications: 4 },
    { type: 'user_hid', value: 'bob', identifications: 3 },
  ],
  edges: [
    { from: 0, to: 1, identifications: 4, last_seen_at: TUESDAY },
    { from: 0, to: 2, identifications: 3, last_seen_at: MONDAY },
  ],
  more: NOTHING_LEFT,
}

test('graphs join at what they share, which is counted once', () => {
  const { nodes, edges } = joinGraphs([ada, device])
  expect(
    nodes.map(({ value, identifications, opened, left }) => [value, identifications, opened, left]),
  ).toEqual([
    ['ada', 9, true, 5],
    ['d1', 7, true, 0],
    ['1.2.3.4', 1, false, 0],
    ['bob', 3, false, 0],
  ])
  expect(edges).toHaveLength(3)
  expect(edges[0]).toMatchObject({ identifications: 4, lastSeenMs: Date.parse(TUESDAY) })
})

test('a hidden kind takes its lines with it, but never the entity of the page', () => {
  const network = joinGraphs([ada, device])
  const left = filterNetwork(network, { hidden: new Set(['user_hid']), sinceMs: undefined })
  expect(left.nodes.map(({ value }) => value)).toEqual(['ada', 'd1', '1.2.3.4'])
  expect(left.edges).toHaveLength(2)
})

test('a time leaves what was seen together since then', () => {
  const network = joinGraphs([ada, device])
  const left = filterNetwork(network, { hidden: new Set(), sinceMs: Date.parse(TUESDAY) })
  expect(left.nodes.map(({ value }) => value)).toEqual(['ada', 'd1', '1.2.3.4'])
  expect(filterNetwork(network, { hidden: new Set(), sinceMs: Date.parse(TUESDAY) + 1 }).nodes).toHaveLength(
    1,
  )
})
