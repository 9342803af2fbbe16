import { expect, test } from 'vitest'
import { rateOf, rateText, wilson } from './rate.ts'

test('the interval agrees with published tables', () => {
  const [low, high] = wilson({ hits: 10, of: 18 })
  expect(low).toBeCloseTo(0.3372, 3)
  expect(high).toBeCloseTo(0.7544, 3)
})

test('none or all of a few measurements does not give certainty', () => {
  expect(rateText({ hits: 0, of: 3 })).toBe('0/3 (0–56 %)')
  expect(rateText({ hits: 3, of: 3 })).toBe('3/3 (44–100 %)')
})

test('a missing answer counts neither as a hit nor as a miss', () => {
  expect(rateOf([true, undefined, false])).toEqual({ hits: 1, of: 2 })
})
