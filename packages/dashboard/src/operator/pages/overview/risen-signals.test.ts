import type { OverviewValue } from '@inkling/contract/account'
import { expect, test } from 'vitest'
import { risenSignals } from './risen-signals.ts'

const signal = (value: string, now: number, before: number, mean_points = 10): OverviewValue => ({
  value,
  identifications: { value: now, previous: before, change: null },
  share: 0.1,
  average_score: null,
  comparable: true,
  mean_points,
})
const namesOf = (values: OverviewValue[]) => risenSignals(values).map(({ value }) => value)

test('a signal that doubled is told of, also one that is new; the one that added the most points comes first', () => {
  expect(namesOf([signal('vpn', 100, 50), signal('tor', 60, 0, 50), signal('proxy', 99, 50)])).toEqual([
    'tor',
    'vpn',
  ])
})

test('a few visits more and signals without points are not worth a word', () => {
  expect(namesOf([signal('tor', 29, 0)])).toEqual([])
  expect(namesOf([signal('private_mode', 200, 50, 0)])).toEqual([])
})
