import { expect, test } from 'vitest'
import { createLatencyRecord } from './running-state.ts'

const MINUTE = 60_000

test('lists whole minutes, oldest first, with p50 and p99', () => {
  const record = createLatencyRecord()
  for (let index = 0; index < 98; index += 1) record.add(20 * MINUTE + index, 4)
  record.add(20 * MINUTE + 99, 500)
  record.add(20 * MINUTE + 100, 500)
  record.add(21 * MINUTE, 1)
  const minutes = record.minutes(21 * MINUTE + 5)
  expect(minutes).toHaveLength(10)
  expect(minutes.at(-1)).toEqual({ atMs: 20 * MINUTE, count: 100, p50Ms: 4, p99Ms: 501.8 })
  expect(minutes[0]).toEqual({ atMs: 11 * MINUTE, count: 0, p50Ms: undefined, p99Ms: undefined })
})

test('forgets older minutes', () => {
  const record = createLatencyRecord()
  record.add(5 * MINUTE, 1)
  record.add(16 * MINUTE, 1)
  expect(record.minutes(15 * MINUTE + 1).every(({ count }) => count === 0)).toBe(true)
  expect(record.minutes(17 * MINUTE).at(-1)?.count).toBe(1)
})

test('is accurate to 1 % and a tenth of a millisecond', () => {
  for (const durationMs of [0.2, 1, 3, 7.5, 42, 999, 20_000]) {
    const record = createLatencyRecord()
    record.add(0, durationMs)
    const p50Ms = record.minutes(MINUTE).at(-1)?.p50Ms ?? 0
    expect(p50Ms).toBeGreaterThanOrEqual(durationMs)
    expect(p50Ms).toBeLessThanOrEqual(durationMs * 1.01 + 0.05)
  }
})
