import { expect, test } from 'vitest'
import { numbersFrom } from '../../../test/numbers-from.ts'
import { countsByHand } from '../../../test/velocity-oracle.ts'
import {
  VELOCITY_COUNTERS,
  VELOCITY_SUBJECTS,
  type VelocityCounts,
  type VelocitySubject,
} from '../../visit/velocity.ts'
import { byteWriter } from './bytes.ts'
import { beginColumn, velocityOf, writeCounts } from './velocity-column.ts'
import {
  addVisit,
  countsOf,
  decodeState,
  EXACT_MAX,
  emptyState,
  encodeState,
  forgetValue,
  type VisitValues,
} from './velocity-state.ts'

const NOW = Date.UTC(2026, 10, 20, 12)
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** As good as a hash: spreads numbers over 48 bits. */
const spread = (random: () => number): number =>
  Math.floor(random() * 2 ** 24) * 2 ** 24 + Math.floor(random() * 2 ** 24)

test('counts equal those made by hand, after every visit, stored in between and in any order of times', () => {
  const random = numbersFrom(22)
  const pool = Array.from({ length: 40 }, () => spread(random))
  const pick = (size: number): number => pool[Math.floor(random() * size)] ?? 0
  let state = emptyState('prefix')
  const visits: { values: VisitValues; atMs: number }[] = []
  let clockMs = NOW
  for (let number = 0; number < 700; number++) {
    // Bursts, pauses of up to 9 hours, and now and then a node whose clock is late.
    const step = random()
    clockMs += step < 0.9 ? random() * 20_000 : step < 0.99 ? random() * HOUR : random() * 9 * HOUR
    const atMs = Math.floor(clockMs - (random() < 0.05 ? random() * 2 * HOUR : 0))
    const values = {
      devices: pick(20),
      cookies: pick(40),
      addresses: pick(5),
      countries: pick(3),
      ...(random() < 0.5 && { accounts: pick(10) }),
    }
    visits.push({ values, atMs })
    addVisit(state, values, atMs)
    if (random() < 0.3) state = decodeState('prefix', encodeState(state))
    expect(countsOf(state, atMs)).toEqual(countsByHand('prefix', visits, atMs))
  }
  const laterMs = clockMs + 3 * DAY
  expect(countsOf(state, laterMs)).toEqual(countsByHand('prefix', visits, laterMs))
  expect(encodeState(state).length).toBeLessThan(2_500)
})

test('a visit counts for the length of each window, and for a grain more at most', () => {
  const state = emptyState('device')
  addVisit(state, {}, NOW)
  const visits = (afterMs: number) => countsOf(state, NOW + afterMs).visits
  expect(visits(5 * MINUTE)).toEqual({ m5: 1, h1: 1, h24: 1, d7: 1 })
  expect(visits(5 * MINUTE + 5_000)).toEqual({ m5: 0, h1: 1, h24: 1, d7: 1 })
  expect(visits(HOUR)).toMatchObject({ h1: 1 })
  expect(visits(HOUR + MINUTE)).toMatchObject({ h1: 0, h24: 1 })
  expect(visits(DAY)).toMatchObject({ h24: 1 })
  expect(visits(DAY + 15 * MINUTE)).toMatchObject({ h24: 0, d7: 1 })
  expect(visits(7 * DAY)).toMatchObject({ d7: 1 })
  expect(visits(7 * DAY + 2 * HOUR)).toMatchObject({ d7: 0 })
})

test('past the exact size, counts in every window are estimates with the documented error, and exact again once it is quiet', () => {
  const random = numbersFrom(7)
  const errors: number[] = []
  for (let trial = 0; trial < 8; trial++) {
    let state = emptyState('address')
    const old = 4_000
    for (let index = 0; index < old; index++) addVisit(state, { cookies: spread(random) }, NOW)
    for (let index = 0; index < 1_000; index++) addVisit(state, { cookies: spread(random) }, NOW + 2 * HOUR)
    state = decodeState('address', encodeState(state))
    const { cookies } = countsOf(state, NOW + 2 * HOUR)
    expect(cookies.m5).toBe(cookies.h1)
    errors.push(cookies.m5 / 1_000 - 1, cookies.d7 / 5_000 - 1)
    addVisit(state, { cookies: 1 }, NOW + 20 * DAY)
    state = decodeState('address', encodeState(state))
    addVisit(state, { cookies: 2 }, NOW + 20 * DAY)
    addVisit(state, { cookies: 2 }, NOW + 20 * DAY)
    expect(countsOf(state, NOW + 20 * DAY).cookies.d7).toBe(2)
  }
  const spreadOf = Math.sqrt(errors.reduce((sum, error) => sum + error * error, 0) / errors.length)
  expect(spreadOf).toBeLessThan(0.1)
  expect(Math.max(...errors.map(Math.abs))).toBeLessThan(0.3)
})

test('up to the exact size nothing is estimated', () => {
  const state = emptyState('prefix')
  for (let value = 1; value <= EXACT_MAX; value++) {
    addVisit(state, { accounts: value }, NOW)
    expect(countsOf(state, NOW).accounts.m5).toBe(value)
  }
})

test('a value that is forgotten counts no more, and the visits stay', () => {
  const state = emptyState('prefix')
  addVisit(state, { devices: 1, cookies: 3 }, NOW)
  addVisit(state, { devices: 2, cookies: 3 }, NOW)
  forgetValue(state, 'devices', 1)
  expect(countsOf(state, NOW)).toMatchObject({ visits: { m5: 2 }, devices: { m5: 1 }, cookies: { m5: 1 } })
})

test('the column gives back the counts of every subject, and nothing for a visit that was not counted', () => {
  const counts = (subject: (typeof VELOCITY_SUBJECTS)[number]) => {
    const state = emptyState(subject)
    for (let index = 0; index < 300; index++)
      addVisit(state, { devices: index % 7, accounts: index % 50 }, NOW + index * 20 * MINUTE)
    return countsOf(state, NOW + 300 * 20 * MINUTE)
  }
  const velocity = {
    device: counts('device'),
    visitor: counts('visitor'),
    cookie: null,
    account: counts('account'),
    address: counts('address'),
    prefix: null,
  }
  const column = byteWriter()
  const all: [VelocitySubject, VelocityCounts | null][] = VELOCITY_SUBJECTS.map((subject) => [
    subject,
    velocity[subject],
  ])
  beginColumn(column, (index) => Boolean(all[index]?.[1]))
  for (const [subject, known] of all) if (known) writeCounts(column, subject, known)
  expect(velocityOf({ velocity: column.bytes() })).toEqual(velocity)
  expect(Object.keys(velocity.device)).toEqual([...VELOCITY_COUNTERS])
  expect(Object.values(velocityOf({ velocity: null }))).toEqual(VELOCITY_SUBJECTS.map(() => null))
})
