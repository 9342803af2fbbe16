import { expect, test } from 'vitest'
import { gradeOf, hoursAgo, visits } from '../../../test/patterns/visits.ts'
import { changingIdsOnAccount } from './changing-ids-on-account.ts'

const cookies = (count: number, score = 0, hours = 1) =>
  visits(count, (index) => ({ cookieId: `cookie-${index}`, score, atMs: hoursAgo(index * hours) }))

test.each([
  [0, 9, undefined],
  [0, 10, 'suspicious'],
  [0, 20, 'dangerous'],
  [60, 3, undefined],
  [60, 4, 'suspicious'],
  [60, 8, 'dangerous'],
])('at an average score of %i, %i cookies in a day are %s', (score, count, grade) => {
  expect(gradeOf(changingIdsOnAccount, cookies(count, score))).toBe(grade)
})

test('visitors that change while the cookie stays count as well', () => {
  const rows = visits(10, (index) => ({ visitorId: `visitor-${index}` }))
  expect(gradeOf(changingIdsOnAccount, rows)).toBe('suspicious')
})

test('somebody who opens a private window three times a day is not accused, for weeks', () => {
  expect(gradeOf(changingIdsOnAccount, cookies(60, 0, 8))).toBeUndefined()
})

test('one browser on many hosts, with a cookie on each, is not accused', () => {
  const rows = visits(30, (index) => ({ cookieId: `cookie-${index}`, host: `${index}.shop.example` }))
  expect(gradeOf(changingIdsOnAccount, rows)).toBeUndefined()
})

test('two devices that take turns all day are not accused', () => {
  const rows = visits(100, (index) => ({
    cookieId: `cookie-${index % 2}`,
    visitorId: `visitor-${index % 2}`,
  }))
  expect(gradeOf(changingIdsOnAccount, rows)).toBeUndefined()
})

test('visits without cookie and visitor never count', () => {
  const rows = visits(50, () => ({ cookieId: undefined, visitorId: undefined, score: 90 }))
  expect(gradeOf(changingIdsOnAccount, rows)).toBeUndefined()
})
