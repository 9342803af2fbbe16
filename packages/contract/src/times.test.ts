import { expect, test } from 'vitest'
import { presentRowTime, presentTime, readTime } from './times.ts'

test.each([
  ['2026-06-01 12:00:00.123', Date.UTC(2026, 5, 1, 12, 0, 0, 123)],
  ['2026-06-01 12:00:00', Date.UTC(2026, 5, 1, 12)],
  ['2026-06-01T12:00:00Z', Date.UTC(2026, 5, 1, 12)],
  ['2026-06-01T12:00:00.5Z', Date.UTC(2026, 5, 1, 12, 0, 0, 500)],
  ['2026-06-01T12:00:00.123456789Z', Date.UTC(2026, 5, 1, 12, 0, 0, 123)],
])('%s is UTC', (text, ms) => {
  expect(readTime(text)).toBe(ms)
})

test.each(['', 'yesterday', '2026-06-01', '2026-13-01 12:00:00', '2026-06-01T12:00:00+02:00'])(
  '%j is no time on the wire',
  (text) => {
    expect(readTime(text)).toBeUndefined()
  },
)

test('a written time is read back', () => {
  const atMs = Date.UTC(2026, 5, 1, 12, 0, 0, 7)
  expect(presentRowTime(atMs)).toBe('2026-06-01 12:00:00.007')
  expect(presentTime(atMs)).toBe('2026-06-01T12:00:00.007Z')
  for (const text of [presentRowTime(atMs), presentTime(atMs)]) expect(readTime(text)).toBe(atMs)
})
