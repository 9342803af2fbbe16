import { expect, test } from 'vitest'
import { gradeOf, hoursAgo, visits } from '../../../test/patterns/visits.ts'
import { manyCountriesOnAccount } from './many-countries-on-account.ts'

const COUNTRIES = ['Germany', 'Brazil', 'Vietnam', 'Kenya', 'Canada', 'India', 'Norway']
const countries = (count: number, score = 0, hours = 3) =>
  visits(count, (index) => ({ country: COUNTRIES[index], score, atMs: hoursAgo(index * hours) }))

test.each([
  [0, 3, undefined],
  [0, 4, 'suspicious'],
  [0, 6, 'dangerous'],
  [30, 2, undefined],
  [30, 3, 'suspicious'],
  [60, 1, undefined],
  [60, 2, 'suspicious'],
  [60, 3, 'dangerous'],
])('at an average score of %i, %i countries in a day are %s', (score, count, grade) => {
  expect(gradeOf(manyCountriesOnAccount, countries(count, score))).toBe(grade)
})

test('a journey with a stopover is not accused', () => {
  expect(gradeOf(manyCountriesOnAccount, countries(3))).toBeUndefined()
})

test('a journey through many countries, a day in each, is not accused', () => {
  expect(gradeOf(manyCountriesOnAccount, countries(7, 0, 24))).toBeUndefined()
})

test('exits of VPNs, proxies and relays are no journey, however many', () => {
  const rows = visits(7, (index) => ({ country: COUNTRIES[index], hidden: true, score: 45 }))
  expect(gradeOf(manyCountriesOnAccount, rows)).toBeUndefined()
})

test('addresses whose country is not known never count', () => {
  const rows = visits(9, (index) => ({ country: index === 0 ? 'Germany' : undefined, score: 90 }))
  expect(gradeOf(manyCountriesOnAccount, rows)).toBeUndefined()
})
