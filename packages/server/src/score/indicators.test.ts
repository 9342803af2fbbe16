import { expect, test } from 'vitest'
import { evidenceOf, type Indicator, reachesThreshold, totalPoints } from './indicators.ts'

const indicator = (name: string, group: string, points: number): Indicator => ({
  name,
  group,
  points,
  evidence: name,
})

test('one group counts once, by its strongest indicator; groups add up', () => {
  const indicators = [
    indicator('a', 'identity', 25),
    indicator('b', 'identity', 10),
    indicator('c', 'gpu', 4),
  ]
  expect(totalPoints(indicators)).toBe(29)
  expect(reachesThreshold(indicators)).toBe(false)
  expect(reachesThreshold([...indicators, indicator('d', 'languages', 1)])).toBe(true)
  expect(reachesThreshold([])).toBe(false)
})

test('the evidence has every indicator, grouped by name', () => {
  expect(evidenceOf([indicator('a', 'x', 5), indicator('a', 'y', 6), indicator('b', 'z', 7)])).toEqual({
    a: ['a', 'a'],
    b: 'b',
    points: 18,
  })
})
