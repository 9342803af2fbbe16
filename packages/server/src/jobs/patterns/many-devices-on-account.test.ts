import { expect, test } from 'vitest'
import { daysAgo, gradeOf, visits } from '../../../test/patterns/visits.ts'
import { manyDevicesOnAccount } from './many-devices-on-account.ts'

const devices = (count: number, score = 0) =>
  visits(count, (index) => ({ deviceId: `device-${index}`, score, atMs: daysAgo(index) }))

test.each([
  [0, 7, undefined],
  [0, 8, 'suspicious'],
  [0, 16, 'dangerous'],
  [60, 3, undefined],
  [60, 4, 'suspicious'],
  [60, 8, 'dangerous'],
])('at an average score of %i, %i devices are %s', (score, count, grade) => {
  expect(gradeOf(manyDevicesOnAccount, devices(count, score))).toBe(grade)
})

test('a person with phone, tablet, laptop, office computer and a new phone is not accused', () => {
  const own = ['phone', 'tablet', 'laptop', 'office', 'new phone']
  const rows = visits(200, (index) => ({ deviceId: own[index % 5], atMs: daysAgo(index / 8) }))
  expect(gradeOf(manyDevicesOnAccount, rows)).toBeUndefined()
})

test('a private person behind a VPN, whose visits score 15, is not accused for five devices', () => {
  expect(gradeOf(manyDevicesOnAccount, devices(5, 15))).toBeUndefined()
})

test('visits without a usable device never count', () => {
  expect(
    gradeOf(
      manyDevicesOnAccount,
      visits(50, () => ({ deviceId: undefined, score: 90 })),
    ),
  ).toBeUndefined()
})
