import { expect, test } from 'vitest'
import { daysAgo, gradeOf, visits } from '../../../test/patterns/visits.ts'
import { manyAccountsOnLocalIp } from './many-accounts-on-local-ip.ts'

/** Four accounts to a device. */
const farm = (accounts: number, score = 0) =>
  visits(accounts, (index) => ({
    account: `account-${index}`,
    deviceId: `device-${Math.floor(index / 4)}`,
    score,
  }))

test.each([
  [0, 8, undefined],
  [0, 12, 'suspicious'],
  [0, 20, 'dangerous'],
  [60, 3, undefined],
  [60, 4, 'suspicious'],
  [60, 8, 'dangerous'],
])('at an average score of %i, %i accounts of a farm are %s', (score, count, grade) => {
  expect(gradeOf(manyAccountsOnLocalIp, farm(count, score))).toBe(grade)
})

test('accounts with a device each are found where their scores are suspicious', () => {
  const risky = (count: number) =>
    visits(count, (index) => ({ account: `account-${index}`, deviceId: `device-${index}`, score: 45 }))
  expect(gradeOf(manyAccountsOnLocalIp, risky(5))).toBeUndefined()
  expect(gradeOf(manyAccountsOnLocalIp, risky(6))).toBe('suspicious')
  expect(gradeOf(manyAccountsOnLocalIp, risky(11))).toBe('dangerous')
})

test('accounts of more than seven days ago no longer count', () => {
  const rows = farm(12).map((row) => ({ ...row, atMs: daysAgo(8) }))
  expect(gradeOf(manyAccountsOnLocalIp, rows)).toBeUndefined()
})

test('a carrier’s address with hundreds of phones is not accused, nor for the bad ones among them', () => {
  const phones = visits(400, (index) => ({ account: `account-${index}`, deviceId: `phone-${index}` }))
  const bad = visits(40, (index) => ({ account: `bad-${index}`, deviceId: `bad-${index}`, score: 70 }))
  expect(gradeOf(manyAccountsOnLocalIp, [...phones, ...bad])).toBeUndefined()
})

test('a company behind its proxy is not accused: its people have a computer of their own', () => {
  const rows = visits(200, (index) => ({
    account: `employee-${index}`,
    deviceId: `computer-${index}`,
    hidden: true,
    score: 20,
  }))
  expect(gradeOf(manyAccountsOnLocalIp, rows)).toBeUndefined()
})

test('a school is not accused: its pupils sit at another computer each time', () => {
  const rows = visits(240, (index) => ({
    account: `pupil-${index % 60}`,
    deviceId: `computer-${(index * 7 + Math.floor(index / 60)) % 20}`,
  }))
  expect(gradeOf(manyAccountsOnLocalIp, rows)).toBeUndefined()
})

test('a family with one tablet is not accused', () => {
  const rows = visits(60, (index) => ({ account: `child-${index % 5}`, deviceId: 'tablet' }))
  expect(gradeOf(manyAccountsOnLocalIp, rows)).toBeUndefined()
})

test('visits that nobody signed in to never count', () => {
  expect(
    gradeOf(
      manyAccountsOnLocalIp,
      visits(50, () => ({ account: undefined, score: 99 })),
    ),
  ).toBeUndefined()
})
