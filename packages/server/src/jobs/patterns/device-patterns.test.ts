import { describe, expect, test } from 'vitest'
import { daysAgo, gradeOf, visit, visits } from '../../../test/patterns/visits.ts'
import { manyAccountsOnDevice, manyDevicesOnVisitor } from './device-patterns.ts'

describe('many accounts on a device', () => {
  const accounts = (count: number, score = 0, days = 1) =>
    visits(count, (index) => ({ account: `account-${index}`, score, atMs: daysAgo((index + 1) * days) }))

  test.each([
    [0, 7, undefined],
    [0, 8, 'suspicious'],
    [0, 15, 'suspicious'],
    [0, 16, 'dangerous'],
    [30, 5, undefined],
    [30, 6, 'suspicious'],
    [30, 11, 'dangerous'],
    [60, 2, undefined],
    [60, 3, 'suspicious'],
    [60, 6, 'dangerous'],
    [99, 2, undefined],
  ])('at an average score of %i, %i accounts are %s', (score, count, grade) => {
    expect(gradeOf(manyAccountsOnDevice, accounts(count, score))).toBe(grade)
  })

  test('a patient farm that adds an account every third day is found within the month', () => {
    expect(gradeOf(manyAccountsOnDevice, accounts(9, 0, 3))).toBe('suspicious')
  })

  test('accounts of more than thirty days ago no longer count', () => {
    const rows = [...accounts(7), ...visits(9, (index) => ({ account: `old-${index}`, atMs: daysAgo(31) }))]
    expect(gradeOf(manyAccountsOnDevice, rows)).toBeUndefined()
  })

  test('a family tablet, used by all day after day, is not suspicious', () => {
    const family = ['ada', 'ben', 'cleo', 'dan', 'eve']
    const rows = visits(300, (index) => ({ account: family[index % 5], atMs: daysAgo(index / 10) }))
    expect(gradeOf(manyAccountsOnDevice, rows)).toBeUndefined()
  })

  test('a kiosk is not suspicious: its guests are at home on other devices', () => {
    const homes = Object.fromEntries(
      Array.from({ length: 80 }, (_, index) => [`account-${index}`, `own-${index}`]),
    )
    expect(gradeOf(manyAccountsOnDevice, accounts(80, 0, 0.3), homes)).toBeUndefined()
  })

  test('visits that nobody signed in to never count', () => {
    expect(
      gradeOf(
        manyAccountsOnDevice,
        visits(50, () => ({ account: undefined, score: 99 })),
      ),
    ).toBeUndefined()
  })

  test('a rate-limited visit, which has no score, makes nobody riskier', () => {
    const rows = [...accounts(7), visit({ account: 'account-1', score: undefined })]
    expect(gradeOf(manyAccountsOnDevice, rows)).toBeUndefined()
  })
})

describe('many devices on a visitor', () => {
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

  test('a profile that moved to a new computer, after two updates that changed its looks, is not suspicious', () => {
    expect(gradeOf(manyDevicesOnVisitor, devices(4))).toBeUndefined()
  })

  test('a visitor of many visits without a usable device is not suspicious', () => {
    expect(
      gradeOf(
        manyDevicesOnVisitor,
        visits(40, () => ({ deviceId: undefined, score: 80 })),
      ),
    ).toBeUndefined()
  })
})
