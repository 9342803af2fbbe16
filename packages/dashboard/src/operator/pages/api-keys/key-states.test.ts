import { expect, test } from 'vitest'
import { keyStates } from './key-states.ts'

const NOW = Date.UTC(2026, 10, 21)
const DAY_MS = 24 * 3_600_000
const inDays = (days: number) => new Date(NOW + days * DAY_MS).toISOString()

test('a key is expired, ends within two weeks, was never used or is in use', () => {
  const states = (expires_at: string | null, used_at: string | null) =>
    keyStates({ expires_at, used_at }, NOW)
  expect(states(null, inDays(-1))).toEqual(['in_use'])
  expect(states(null, inDays(-33))).toEqual(['idle'])
  expect(states(null, null)).toEqual(['never_used'])
  expect(states(inDays(15), inDays(-1))).toEqual(['in_use'])
  expect(states(inDays(14), inDays(-1))).toEqual(['expires_soon', 'in_use'])
  expect(states(inDays(1), null)).toEqual(['expires_soon', 'never_used'])
  for (const used of [null, inDays(-1)]) expect(states(inDays(0), used)).toEqual(['expired'])
})
