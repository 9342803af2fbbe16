import { expect, test } from 'vitest'
import { retryDelayMs } from './retry-delay.ts'

test('eight sends fit into fifteen minutes, each wait longer than the one before', () => {
  const waits = Array.from({ length: 7 }, (_, index) => retryDelayMs(index))
  expect(waits.toSorted((a, b) => a - b)).toEqual(waits)
  expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeLessThan(15 * 60 * 1_000)
})
