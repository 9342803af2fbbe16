import { expect, test } from 'vitest'
import { seldom } from './seldom.ts'

test('what is said again and again is told at once, and then once in a while with how often it was said', () => {
  const clock = { nowMs: 0 }
  const told: [string, number][] = []
  const say = seldom<string>(
    1_000,
    (said, times) => told.push([said, times]),
    () => clock.nowMs,
  )
  say('a')
  for (clock.nowMs = 100; clock.nowMs < 1_000; clock.nowMs += 100) say('b')
  expect(told).toEqual([['a', 1]])
  say('c')
  expect(told).toEqual([
    ['a', 1],
    ['c', 10],
  ])
})
