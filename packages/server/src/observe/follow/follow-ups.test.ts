import { describe, expect, test } from 'vitest'
import type { TurnSighting } from '../../visit/network-evidence.ts'
import { createFollowUps } from './follow-ups.ts'
import { createReachability } from './reachability.ts'

const VISITOR = '91.0.0.1'
const sighting: TurnSighting = {
  address: VISITOR,
  port: 5_000,
  transport: 'udp',
  roundTripMs: 20,
  engine: 'libwebrtc',
}
const trips = { applicationMinMs: 41, tcpMinMs: 40, samples: 5 }
const passed = { network: { outcome: 'complete', answered: true }, readings: undefined } as const
const unanswered = { network: { outcome: 'complete', answered: false }, readings: undefined } as const
const limits = { openWithinMs: 60_000, limitMs: 60_000, bytes: 0 }

function followUps({ turn = true, others = true, sentBytesMax = 1_000 } = {}) {
  const clock = { nowMs: 0 }
  const reachability = createReachability()
  if (others) reachability.note('91.0.0.99')
  return { clock, ...createFollowUps({ turn, reachability, monotonicMs: () => clock.nowMs, sentBytesMax }) }
}

const turnOf = (visits: ReturnType<typeof followUps>, id = 'a') => visits.evidenceOf(id, VISITOR).turn

describe('a visit settles', () => {
  test('when the round trips are measured and the browser has reported', async () => {
    const visits = followUps()
    const settled = visits.settled('a', limits)
    visits.open('a')
    visits.sighted('a', sighting)
    visits.roundTrips('a', trips)
    visits.reported('a', passed)
    await settled
    expect(visits.evidenceOf('a', VISITOR)).toMatchObject({
      turn: { available: true, value: { sightings: [sighting], late: false } },
      roundTrip: { available: true, value: trips },
      report: { available: true, value: { answered: true } },
    })
  })

  test('when all of it came before anybody waited', async () => {
    const visits = followUps()
    visits.open('a')
    visits.roundTrips('a', undefined)
    visits.reported('a', passed)
    await visits.settled('a', limits)
  })

  test('when the page leaves, at the window, without a channel, and when the server stops', async () => {
    const visits = followUps()
    const leaving = visits.settled('left', limits)
    visits.open('left')
    visits.close('left')
    await leaving
    await visits.settled('slow', { ...limits, limitMs: 0 })
    await visits.settled('silent', { ...limits, openWithinMs: 0 })
    const waiting = visits.settled('waiting', limits)
    visits.stop()
    await waiting
  })
})

describe('no packet of the network check', () => {
  const reportedWithout = (visits: ReturnType<typeof followUps>) => {
    visits.open('a')
    visits.reported('a', unanswered)
    return turnOf(visits)
  }

  test('counts only where packets of others come through', () => {
    expect(reportedWithout(followUps())).toEqual({ available: false, reason: 'no_packet' })
    expect(reportedWithout(followUps({ others: false }))).toEqual({ available: false, reason: 'unproven' })
  })

  test('of a private address proves nothing for public ones', () => {
    const visits = followUps({ others: false })
    visits.sighted('operator', { ...sighting, address: '127.0.0.1' })
    expect(reportedWithout(visits)).toEqual({ available: false, reason: 'unproven' })
  })

  test('says nothing while the check runs, when the page left, without WebRTC, or without a responder', () => {
    const visits = followUps()
    visits.open('a')
    expect(turnOf(visits)).toEqual({ available: false, reason: 'pending' })
    visits.close('a')
    expect(turnOf(visits)).toEqual({ available: false, reason: 'interrupted' })
    visits.reported('b', { ...passed, network: { outcome: 'unsupported', answered: false } })
    expect(turnOf(visits, 'b')).toEqual({ available: false, reason: 'unsupported' })
    expect(turnOf(visits, 'never seen')).toEqual({ available: false, reason: 'not_started' })
    expect(turnOf(followUps({ turn: false }))).toEqual({ available: false, reason: 'off' })
  })
})

describe('after the verdict', () => {
  test('a packet is news, and late only where its absence was held against the visit', () => {
    const visits = followUps()
    visits.open('a')
    visits.reported('a', unanswered)
    let news = 0
    visits.conclude('a', visits.evidenceOf('a', VISITOR), () => (news += 1))
    visits.sighted('a', sighting)
    expect(news).toBe(1)
    expect(turnOf(visits)).toMatchObject({ value: { late: true } })

    visits.open('b')
    visits.conclude('b', visits.evidenceOf('b', VISITOR), () => {})
    visits.sighted('b', sighting)
    expect(turnOf(visits, 'b')).toMatchObject({ value: { late: false } })
  })

  test('a visit is forgotten after a minute', () => {
    const visits = followUps()
    visits.sighted('a', sighting)
    visits.clock.nowMs = 60_000
    visits.sweep()
    expect(turnOf(visits)).toEqual({ available: false, reason: 'not_started' })
  })
})

test('what is kept of visits is bounded: the oldest are forgotten, which ends their wait', async () => {
  const visits = followUps({ sentBytesMax: 1_000 })
  const first = visits.settled('first', { ...limits, bytes: 600 })
  visits.sighted('first', sighting)
  void visits.settled('second', { ...limits, bytes: 300 })
  visits.open('second')
  visits.reported('second', { ...passed, readings: `{"a":"${'x'.repeat(200)}"}` })
  await first
  expect(turnOf(visits, 'first')).toEqual({ available: false, reason: 'not_started' })
  expect(visits.evidenceOf('second', VISITOR).report).toMatchObject({ available: true })

  // One that is too large alone is not followed at all, and leaves nothing behind.
  await visits.settled('huge', { ...limits, bytes: 1_001 })
  await visits.settled('small', { ...limits, limitMs: 0, bytes: 1_000 })
  visits.open('small')
  visits.reported('small', passed)
  expect(visits.evidenceOf('small', VISITOR).report).toMatchObject({ available: true })
})

test('a request has one channel and one report: the first', () => {
  const visits = followUps()
  expect(visits.open('a')).toBe(true)
  expect(visits.open('a')).toBe(false)
  visits.reported('a', passed)
  visits.reported('a', unanswered)
  expect(visits.evidenceOf('a', VISITOR).report).toMatchObject({ value: { answered: true } })
})

test('one more report adds readings, which are news, and takes back nothing that was said', () => {
  const visits = followUps()
  visits.open('a')
  visits.reported('a', { ...passed, readings: '{"worker":1}' })
  let news = 0
  visits.conclude('a', visits.evidenceOf('a', VISITOR), () => (news += 1))
  visits.reported('a', { readings: '{"worker":2,"input":3}' })
  visits.reported('a', { readings: '{"input":4}' })
  expect(news).toBe(1)
  expect(JSON.parse(visits.lateReadingsOf('a') ?? '')).toEqual({ worker: 1, input: 3 })
})

test('readings alone are no report', () => {
  const visits = followUps()
  visits.reported('a', { readings: '{"input":3}' })
  expect(visits.evidenceOf('a', VISITOR).report).toEqual({ available: false, reason: 'pending' })
  expect(visits.lateReadingsOf('a')).toBeUndefined()
})
