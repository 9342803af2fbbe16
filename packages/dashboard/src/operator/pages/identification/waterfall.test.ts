import { expect, test } from 'vitest'
import { axisEnd, type Entry, waterfallSteps } from './waterfall.tsx'

const entry = (name: string, value: number): Entry => ({
  name,
  title: name,
  description: name,
  weight: value,
  value,
  evidence: {},
})

test('each bar starts where the last one ended, and corrections go back', () => {
  const steps = waterfallSteps([entry('tor', 99), entry('proxy', 0), entry('late', -30)])
  expect(steps.map(({ from, to }) => [from, to])).toEqual([
    [0, 99],
    [99, 99],
    [99, 69],
  ])
})

test('the axis fits signals that add up to more than the highest score', () => {
  expect(axisEnd(waterfallSteps([entry('a', 60), entry('b', 60)]))).toBe(120)
  expect(axisEnd([])).toBe(100)
})
