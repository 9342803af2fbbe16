import { expect, test } from 'vitest'
import { daysAgo, gradeOf, visits } from '../../../test/patterns/visits.ts'
import { manyDevicesOnVisitor } from './many-devices-on-visitor.ts'

const devices = (count: number, score = 0) =>
  visits(count, (index) => ({ deviceId: `device-${index}`, score, atMs: daysAgo(index) }))

test.each([
  [0, 4, undefined],
  [0, 5, 'suspicious'],
  [0, 10, 'dangerous'],
  [60, 2, undefined],
  [60, 3, 'suspicious'],
  [60, 5, 'dangerous'],
])('at an average score of %i, %i devices are %s', (score, count, grade) => {
  expect(gradeOf(manyDevicesOnVisitor, devices(count, score))).toBe(grade)
})

test('a profile that moved to a new computer, after two updates that changed its looks, is not accused', () => {
  expect(gradeOf(manyDevicesOnVisitor, devices(4))).toBeUndefined()
})

test('a visitor of many visits without a usable device is not accused', () => {
  expect(
    gradeOf(
      manyDevicesOnVisitor,
      visits(40, () => ({ deviceId: undefined, score: 80 })),
    ),
  ).toBeUndefined()
})
