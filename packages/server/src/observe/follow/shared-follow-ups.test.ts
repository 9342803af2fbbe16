import { expect, test } from 'vitest'
import type { TurnSighting } from '../../visit/network-evidence.ts'
import { createFollowUps } from './follow-ups.ts'
import { createReachability } from './reachability.ts'
import { homesOf, type NodeMessage, type SharedFollowUps, shareFollowUps } from './shared-follow-ups.ts'

const NAMES = ['a:1', 'b:1', 'c:1', 'd:1']
const VISITOR = '91.0.0.1'
const sighting: TurnSighting = {
  ...{ address: VISITOR, port: 5_000, transport: 'udp', roundTripMs: 20, engine: 'libwebrtc' },
}
const passed = { network: { outcome: 'complete', answered: true }, readings: '{"worker":1}' } as const
const trips = { applicationMinMs: 41, tcpMinMs: 40, samples: 5 }
const waits = { openWithinMs: 60_000, limitMs: 60_000, bytes: 0, address: '203.0.113.7' }

/** Nodes that deliver at once, but for those that do not run. */
function cluster(dead: readonly string[] = []) {
  const nodes = new Map<string, SharedFollowUps>()
  const alive = NAMES.filter((name) => !dead.includes(name))
  for (const self of NAMES) {
    const local = createFollowUps({ turn: true, reachability: createReachability(), monotonicMs: () => 0 })
    const send = (to: string, message: NodeMessage) => {
      if (alive.includes(to)) nodes.get(to)?.receive(self, message)
    }
    nodes.set(self, shareFollowUps(local, { self, nodes: () => NAMES, send }))
  }
  return alive.map((name) => nodes.get(name) as SharedFollowUps)
}

function everything(node: SharedFollowUps, id: string) {
  expect(node.evidenceOf(id, VISITOR)).toMatchObject({
    turn: { available: true, value: { sightings: [sighting] } },
    roundTrip: { available: true, value: trips },
    report: { available: true, value: { answered: true } },
  })
  expect(node.lateReadingsOf(id)).toBe('{"worker":1}')
}

const send = (channel: SharedFollowUps, turn: SharedFollowUps, id: string) => {
  channel.open(id)
  turn.addSighting(id, sighting)
  channel.addRoundTrips(id, trips)
  channel.addReport(id, passed)
}

test('evidence reaches the node of the snapshot, before and after the snapshot', async () => {
  for (let visit = 0; visit < 50; visit += 1) {
    const [a, b, c] = cluster() as [SharedFollowUps, SharedFollowUps, SharedFollowUps]
    const id = `visit ${visit}`
    const [early, late] = [`early ${id}`, `late ${id}`]
    send(a, b, early)
    await c.settled(early, waits)
    everything(c, early)
    const settled = c.settled(late, waits)
    send(a, b, late)
    await settled
    everything(c, late)
    // The node with the channel keeps it open: its snapshot has arrived.
    expect(a.isSeen(early)).toBe(true)
  }
})

test('one dead node of four loses no evidence', async () => {
  for (let visit = 0; visit < 50; visit += 1) {
    const [a, b, c] = cluster(['d:1']) as [SharedFollowUps, SharedFollowUps, SharedFollowUps]
    const id = `visit ${visit}`
    send(a, b, id)
    await c.settled(id, waits)
    everything(c, id)
  }
})

test('a second channel at another node changes nothing', async () => {
  const [a, b, c] = cluster() as [SharedFollowUps, SharedFollowUps, SharedFollowUps]
  const settled = c.settled('id', waits)
  send(a, a, 'id')
  b.open('id')
  b.addReport('id', { ...passed, network: { outcome: 'failed', answered: false } })
  b.close('id')
  await settled
  everything(c, 'id')
})

test('all nodes choose the same two homes, and a node that ends moves only its own', () => {
  const keys = Array.from({ length: 200 }, (_, at) => `request ${at}`)
  const shares = new Map<string, number>()
  for (const key of keys) {
    const [home = '', second = ''] = homesOf(key, NAMES)
    expect(homesOf(key, NAMES.toReversed())).toEqual([home, second])
    expect(
      homesOf(
        key,
        NAMES.filter((name) => name !== home),
      )[0],
    ).toBe(second)
    shares.set(home, (shares.get(home) ?? 0) + 1)
  }
  expect(Math.min(...shares.values())).toBeGreaterThan(25)
})
