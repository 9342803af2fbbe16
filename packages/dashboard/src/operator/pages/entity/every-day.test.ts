import { expect, test } from 'vitest'
import { DAYS_MAX, everyDay } from './every-day.ts'

const NOW = Date.UTC(2026, 10, 22, 15)
const day = (text: string) => ({ day: text, identifications: 2, highest_score: 10 })

test('days without visits are there, up to today', () => {
  expect(everyDay([day('2026-11-18'), day('2026-11-20')], NOW)).toEqual([
    day('2026-11-18'),
    { day: '2026-11-19', identifications: 0, highest_score: null },
    day('2026-11-20'),
    { day: '2026-11-21', identifications: 0, highest_score: null },
    { day: '2026-11-22', identifications: 0, highest_score: null },
  ])
})

test('a longer history shows its latest year', () => {
  const days = everyDay([day('2024-01-01'), day('2026-11-22')], NOW)
  expect([days.length, days.at(-1)]).toEqual([DAYS_MAX, day('2026-11-22')])
})

test('a visitor whose day has begun, while the reader’s clock is behind, is not cut off', () => {
  expect(everyDay([day('2026-11-23')], NOW)).toEqual([day('2026-11-23')])
})
