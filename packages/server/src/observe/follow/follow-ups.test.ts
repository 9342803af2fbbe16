import { FOLLOW_REPORTS_MAX } from '@inkling/contract'
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
const limits = { openWithinMs: 60_000, limitMs: 60_000, bytes: 0, address: VISITOR }

function followUps({ turn = true, others = true, sentBytesMax = 1_000 } = {}) {
  const clock = { nowMs: 0 }
  const reachability = createReachability()
  if (others) reachability.add('91.0.0.99')
  return { clock, ...createFollowUps({ turn, reachability, monotonicMs: () => clock.nowMs, sentBytesMax }) }
}

const turnOf = (visits: ReturnType<typeof followUps>, id = 'a') => visits.evidenceOf(id, VISITOR).turn

test('an announced channel counts as none until it opens', async () => {
  const visits = followUps()
  await visits.settled('a', { ...limits, openWithinMs: 0 })
  const reasonOf = () => visits.evidenceOf('a', VISITOR).roundTrip
  expect(reasonOf()).toEqual({ available: false, reason: 'not_started' })
  visits.open('a')
  expect(reasonOf()).toEqual({ available: false, reason: 'pending' })
})

describe('a visit is settled', () => {
  test('when the round trips are measured and the browser has reported', async () => {
    const visits = followUps()
    const settled = visits.settled('a', limits)
    visits.open('a')
    visits.addSighting('a', sighting)
    visits.addRoundTrips('a', trips)
    visits.addReport('a', passed)
    await settled
    expect(visits.evidenceOf('a', VISITOR)).toMatchObject({
      turn: { available: true, value: { sightings: [sighting], late: false } },
      roundTrip: { available: true, value: trips },
      report: { available: true, value: { answered: true } },
    })
  })

  test('when everything arrived before settled() was called', async () => {
    const visits = followUps()
    visits.open('a')
    visits.addRoundTrips('a', undefined)
    visits.addReport('a', passed)
    await visits.settled('a', limits)
  })

  test('when the page leaves, the window closes, no channel opens, or the server stops', async () => {
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

describe('a missing packet of the network check', () => {
  const reportedWithout = (visits: ReturnType<typeof followUps>) => {
    visits.open('a')
    visits.addReport('a', unanswered)
    return turnOf(visits)
  }

  test('counts only if packets of other visitors have arrived', () => {
    expect(reportedWithout(followUps())).toEqual({ available: false, reason: 'no_packet' })
    expect(reportedWithout(followUps({ others: false }))).toEqual({ available: false, reason: 'unproven' })
  })

  test('does not count for public addresses if only private ones have arrived', () => {
    const visits = followUps({ others: false })
    visits.addSighting('operator', { ...sighting, address: '127.0.0.1' })
    expect(reportedWithout(visits)).toEqual({ available: false, reason: 'unproven' })
  })

  test('does not count for an IPv4 address if only packets by IPv6 have arrived', () => {
    const visits = followUps({ others: false })
    visits.addSighting('other', { ...sighting, address: '2600:1f18::9' })
    expect(reportedWithout(visits)).toEqual({ available: false, reason: 'unproven' })
  })

  test('does not count while the check runs, after the page left, without WebRTC, or without a responder', () => {
    const visits = followUps()
    visits.open('a')
    expect(turnOf(visits)).toEqual({ available: false, reason: 'pending' })
    visits.close('a')
    expect(turnOf(visits)).toEqual({ available: false, reason: 'interrupted' })
    visits.addReport('b', { ...passed, network: { outcome: 'unsupported', answered: false } })
    expect(turnOf(visits, 'b')).toEqual({ available: false, reason: 'unsupported' })
    expect(turnOf(visits, 'never seen')).toEqual({ available: false, reason: 'not_started' })
    expect(turnOf(followUps({ turn: false }))).toEqual({ available: false, reason: 'off' })
  })
})

describe('after the verdict', () => {
  test('a packet is an update, and late only if the verdict was based on its absence', () => {
    const visits = followUps()
    visits.open('a')
    visits.addReport('a', unanswered)
    let news = 0
    visits.conclude('a', visits.evidenceOf('a', VISITOR), () => (news += 1))
    visits.addSighting('a', sighting)
    expect(news).toBe(1)
    expect(turnOf(visits)).toMatchObject({ value: { late: true } })

    visits.open('b')
    visits.conclude('b', visits.evidenceOf('b', VISITOR), () => {})
    visits.addSighting('b', sighting)
    expect(turnOf(visits, 'b')).toMatchObject({ value: { late: false } })
  })

  test('a visit is forgotten after a minute', () => {
    const visits = followUps()
    visits.addSighting('a', sighting)
    visits.clock.nowMs = 60_000
    visits.sweep()
    expect(turnOf(visits)).toEqual({ available: false, reason: 'not_started' })
  })
})

test('memory is bounded: the oldest visits are forgotten and settle', async () => {
  const visits = followUps({ sentBytesMax: 1_000 })
  const first = visits.settled('first', { ...limits, bytes: 600 })
  visits.addSighting('first', sighting)
  void visits.settled('second', { ...limits, bytes: 300 })
  visits.open('second')
  visits.addReport('second', { ...passed, readings: `{"a":"${'x'.repeat(200)}"}` })
  await first
  expect(turnOf(visits, 'first')).toEqual({ available: false, reason: 'not_started' })
  expect(visits.evidenceOf('second', VISITOR).report).toMatchObject({ available: true })

  // One that is too large alone is not followed at all, and leaves nothing behind.
  await visits.settled('huge', { ...limits, bytes: 1_001 })
  await visits.settled('small', { ...limits, limitMs: 0, bytes: 1_000 })
  visits.open('small')
  visits.addReport('small', passed)
  expect(visits.evidenceOf('small', VISITOR).report).toMatchObject({ available: true })
})

test('only the first channel and the first report of a request count', () => {
  const visits = followUps()
  expect(visits.open('a')).toBe(true)
  expect(visits.open('a')).toBe(false)
  visits.addReport('a', passed)
  visits.addReport('a', unanswered)
  expect(visits.evidenceOf('a', VISITOR).report).toMatchObject({ value: { answered: true } })
})

test('later reports add readings, which are updates; of the first they only change what accumulates', () => {
  const visits = followUps()
  visits.open('a')
  visits.addReport('a', { ...passed, readings: '{"worker":1}' })
  let news = 0
  visits.conclude('a', visits.evidenceOf('a', VISITOR), () => (news += 1))
  visits.addReport('a', { readings: '{"worker":2,"input":3}' })
  visits.addReport('a', { readings: '{"input":4}' })
  visits.addReport('a', { readings: '{"input_traces":5}' })
  expect(news).toBe(FOLLOW_REPORTS_MAX - 1)
  expect(JSON.parse(visits.lateReadingsOf('a') ?? '')).toEqual({ worker: 1, input: 4, input_traces: 5 })

  visits.addReport('a', { readings: '{"input":6}' })
  expect(news).toBe(FOLLOW_REPORTS_MAX - 1)
})

test('readings without a network outcome are not a first report', () => {
  const visits = followUps()
  visits.addReport('a', { readings: '{"input":3}' })
  expect(visits.evidenceOf('a', VISITOR).report).toEqual({ available: false, reason: 'pending' })
  expect(visits.lateReadingsOf('a')).toBeUndefined()
})
