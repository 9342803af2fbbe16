import { expect, test } from 'vitest'
import { convince, evidenceOf, type Hint, sumOf } from './hint.ts'

const hint = (name: string, group: string, points: number): Hint => ({ name, group, points, evidence: name })

test('hints of one group count once, by the strongest; groups add up', () => {
  const hints = [hint('a', 'identity', 25), hint('b', 'identity', 10), hint('c', 'gpu', 4)]
  expect(sumOf(hints)).toBe(29)
  expect(convince(hints)).toBe(false)
  expect(convince([...hints, hint('d', 'languages', 1)])).toBe(true)
  expect(convince([])).toBe(false)
})

test('the evidence has every hint, those of one name together', () => {
  expect(evidenceOf([hint('a', 'x', 5), hint('a', 'y', 6), hint('b', 'z', 7)])).toEqual({
    a: ['a', 'a'],
    b: 'b',
    points: 18,
  })
})
