import { expect, test } from 'vitest'
import { numbersFrom } from '../../../test/numbers-from.ts'
import { DAY_MS, HOUR_MS } from '../../lib/durations.ts'
import { type DistinctCounter, VELOCITY_SUBJECTS, type VelocitySubject } from '../../visit/velocity.ts'
import { byteWriter } from './bytes.ts'
import { PACKED_MAX } from './count-packed.ts'
import { countsFrom, countVisit, NO_COUNTS, storedCounts } from './subject-counts.ts'
import { writeCounts } from './velocity-column.ts'
import {
  addVisit,
  countsOf,
  decodeState,
  emptyState,
  encodeState,
  type VelocityState,
  type VisitValues,
} from './velocity-state.ts'

const NOW = Date.UTC(2026, 10, 20, 12)

/** Visits of one subject: bursts, pauses and late ones, with more or fewer different values. */
function* visits(seed: number, different: number): Generator<{ values: VisitValues; atMs: number }> {
  const random = numbersFrom(seed)
  const pool = Array.from({ length: different }, () => Math.floor(random() * 2 ** 48))
  const pick = (counter: DistinctCounter): VisitValues => {
    const value = pool[Math.floor(random() ** 2 * pool.length)]
    return random() < 0.1 || value === undefined ? {} : { [counter]: value }
  }
  let clockMs = NOW
  for (let number = 0; number < 400; number++) {
    const step = random()
    clockMs += step < 0.8 ? random() * 60_000 : step < 0.99 ? random() * 4 * HOUR_MS : random() * 9 * DAY_MS
    const isLate = random() < 0.02
    yield {
      values: {
        ...pick('devices'),
        ...pick('accounts'),
        ...pick('addresses'),
        ...pick('cookies'),
        countries: 7,
      },
      atMs: Math.floor(clockMs - (isLate ? random() * 2 * HOUR_MS : 0)),
    }
  }
}

/** The order of values says nothing: one that was not seen for long and returns is a new one to lists that dropped it. */
const sorted = (state: VelocityState): VelocityState => ({
  ...state,
  distinct: state.distinct.map((one) => {
    if ('sketch' in one) return one
    const pairs = one.exact.keys.map((key, index) => [key, one.exact.values[index] ?? 0] as const)
    const inOrder = pairs.sort(([a], [b]) => a - b)
    return { exact: { keys: inOrder.map(([key]) => key), values: inOrder.map(([, value]) => value) } }
  }),
})

test.each(
  VELOCITY_SUBJECTS.flatMap((subject) => [2, 12, 90, 400].map((different) => [subject, different] as const)),
)('counts as bytes equal those of lists: %s, %i values', (subject: VelocitySubject, different) => {
  let counts = NO_COUNTS
  const state = emptyState(subject)
  let isPacked = 0
  let reads = 0
  for (const visit of visits(different, different)) {
    const column = byteWriter()
    counts = countVisit(subject, counts, { ...visit, column })
    addVisit(state, visit.values, visit.atMs)
    const expected = byteWriter()
    writeCounts(expected, subject, countsOf(state, visit.atMs))
    expect(column.bytes()).toEqual(expected.bytes())
    if (typeof counts === 'string') isPacked += 1
    // As written and read again, now and then.
    if (++reads % 7 === 0) {
      const stored = storedCounts(counts)
      expect(sorted(decodeState(subject, stored))).toEqual(sorted(decodeState(subject, encodeState(state))))
      counts = countsFrom(subject, stored)
    }
  }
  // Else the test would compare lists with lists.
  if (different <= 12) expect(isPacked).toBeGreaterThan(200)
  expect(storedCounts(counts).length).toBeLessThan(30 * PACKED_MAX)
})

test('a clock that was years ahead hides no visit after it', () => {
  const column = byteWriter()
  const ahead = countVisit('device', NO_COUNTS, {
    values: { cookies: 5 },
    atMs: NOW + 1_000 * DAY_MS,
    column,
  })
  column.clear()
  countVisit('device', ahead, { values: { cookies: 6 }, atMs: NOW, column })
  const expected = byteWriter()
  const state = emptyState('device')
  addVisit(state, { cookies: 6 }, NOW)
  writeCounts(expected, 'device', countsOf(state, NOW))
  expect(column.bytes()).toEqual(expected.bytes())
})
