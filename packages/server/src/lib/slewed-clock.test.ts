import { expect, test } from 'vitest'
import { DAY_MS, HOUR_MS } from './durations.ts'
import { createSlewedClock } from './slewed-clock.ts'

function clocks() {
  const wall = { nowMs: 1_800_000_000_000 }
  const real = { nowMs: 5_000 }
  const patient = createSlewedClock(
    () => wall.nowMs,
    () => real.nowMs,
  )
  const pass = (ms: number): void => {
    wall.nowMs += ms
    real.nowMs += ms
  }
  return { wall, patient, pass }
}

test('it goes with the wall clock, and back with it', () => {
  const { wall, patient, pass } = clocks()
  for (const ms of [0, 1, HOUR_MS, DAY_MS]) {
    pass(ms)
    expect(patient()).toBe(wall.nowMs)
  }
  wall.nowMs -= HOUR_MS
  expect(patient()).toBe(wall.nowMs)
})

test('a leap ahead moves it by no more than the time that really passed, twice', () => {
  const { wall, patient, pass } = clocks()
  const before = patient()
  wall.nowMs += 3_650 * DAY_MS
  expect(patient()).toBe(before)
  pass(HOUR_MS)
  expect(patient()).toBe(before + 2 * HOUR_MS)
})

test('it has caught up with a leap that was right after as long again', () => {
  const { wall, patient, pass } = clocks()
  wall.nowMs += DAY_MS
  for (let hours = 0; hours < 24; hours += 1) {
    expect(patient()).toBeLessThan(wall.nowMs)
    pass(HOUR_MS)
  }
  expect(patient()).toBe(wall.nowMs)
})
