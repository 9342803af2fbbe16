import { expect, test } from 'vitest'
import { axisEnd, type Entry, waterfallSteps } from './waterfall-steps.ts'

const entry = (name: string, value: number): Entry => ({
  name,
  title: name,
  description: name,
  weight: value,
  value,
  evidence: {},
})

test('bars begin where the one before ended, and corrections go back', () => {
  const steps = waterfallSteps([entry('tor', 99), entry('proxy', 0), entry('late', -30)])
  expect(steps.map(({ from, to }) => [from, to])).toEqual([
    [0, 99],
    [99, 99],
    [99, 69],
  ])
})

test('the axis holds more points than a score can have', () => {
  expect(axisEnd(waterfallSteps([entry('a', 60), entry('b', 60)]))).toBe(120)
  expect(axisEnd([])).toBe(100)
})
