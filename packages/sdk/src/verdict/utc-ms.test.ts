import { expect, test } from 'vitest'
import { utcMs } from './utc-ms.ts'

test.each([
  ['2026-06-01 12:00:00.123', Date.UTC(2026, 5, 1, 12, 0, 0, 123)],
  ['2026-06-01 12:00:00', Date.UTC(2026, 5, 1, 12)],
  ['2026-06-01T12:00:00Z', Date.UTC(2026, 5, 1, 12)],
  ['2026-06-01T12:00:00.5Z', Date.UTC(2026, 5, 1, 12, 0, 0, 500)],
  ['2026-06-01T12:00:00.123456789Z', Date.UTC(2026, 5, 1, 12, 0, 0, 123)],
])('%s is UTC', (text, ms) => {
  expect(utcMs(text)).toBe(ms)
})

test.each(['', 'yesterday', '2026-06-01', '2026-13-01 12:00:00', '2026-06-01T12:00:00+02:00'])(
  '%j is no time on the wire',
  (text) => {
    expect(utcMs(text)).toBeUndefined()
  },
)
