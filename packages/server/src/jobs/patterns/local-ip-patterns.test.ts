import { describe, expect, test } from 'vitest'
import { daysAgo, gradeOf, ipv4, visits } from '../../../test/patterns/visits.ts'
import { manyAccountsOnLocalIp, sharedLocalIp } from './local-ip-patterns.ts'

describe('many accounts on a local IP', () => {
  /** Four accounts to a device, which use it nowhere else: this tells it from a school. */
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

  test('a carrier’s address with hundreds of phones is not suspicious, nor for the bad ones among them', () => {
    const phones = visits(400, (index) => ({ account: `account-${index}`, deviceId: `phone-${index}` }))
    const bad = visits(40, (index) => ({ account: `bad-${index}`, deviceId: `bad-${index}`, score: 70 }))
    expect(gradeOf(manyAccountsOnLocalIp, [...phones, ...bad])).toBeUndefined()
  })

  test('a company behind its proxy is not suspicious: its people have a computer of their own', () => {
    const rows = visits(200, (index) => ({
      account: `employee-${index}`,
      deviceId: `computer-${index}`,
      hidden: true,
      score: 20,
    }))
    expect(gradeOf(manyAccountsOnLocalIp, rows)).toBeUndefined()
  })

  test('a school is not suspicious: its pupils sit at another computer each time', () => {
    const rows = visits(240, (index) => ({
      account: `pupil-${index % 60}`,
      deviceId: `computer-${(index * 7 + Math.floor(index / 60)) % 20}`,
    }))
    expect(gradeOf(manyAccountsOnLocalIp, rows)).toBeUndefined()
  })

  test('a kiosk beside staff with computers of their own is not suspicious: its guests are at home elsewhere', () => {
    const guests = visits(20, (index) => ({ account: `guest-${index}`, deviceId: 'kiosk' }))
    const staff = visits(15, (index) => ({ account: `staff-${index}`, deviceId: `own-${index}` }))
    const homes = Object.fromEntries(guests.map(({ account }) => [account, `own of ${account}`]))
    expect(gradeOf(manyAccountsOnLocalIp, [...guests, ...staff], homes)).toBeUndefined()
    expect(gradeOf(manyAccountsOnLocalIp, [...guests, ...staff])).toBe('dangerous')
  })

  test('a family with one tablet is not suspicious', () => {
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
})

describe('shared local IP', () => {
  const HOME = ipv4(91, 0, 0, 1)

  const disguised = (count: number, score = 0) =>
    visits(count, (index) => ({
      account: `account-${index}`,
      deviceId: `device-${index}`,
      ip: ipv4(45, 10, index, 7),
      leakedIp: HOME,
      hidden: true,
      score,
    }))

  test.each([
    [0, 5, undefined],
    [0, 6, 'suspicious'],
    [0, 12, 'dangerous'],
    [60, 2, undefined],
    [60, 3, 'suspicious'],
    [60, 5, 'dangerous'],
  ])('at an average score of %i, %i disguised accounts are %s', (score, count, grade) => {
    expect(gradeOf(sharedLocalIp, disguised(count, score))).toBe(grade)
  })

  test('accounts of more than seven days ago no longer count', () => {
    const rows = disguised(12).map((row) => ({ ...row, atMs: daysAgo(8) }))
    expect(gradeOf(sharedLocalIp, rows)).toBeUndefined()
  })

  test('a company that goes through a proxy is not suspicious: its people share the proxy’s networks', () => {
    const rows = disguised(200, 20).map((row, index) => ({ ...row, ip: ipv4(45, 10, index % 4, index) }))
    expect(gradeOf(sharedLocalIp, rows)).toBeUndefined()
  })

  test('a carrier whose packets leave under several of its own addresses is not suspicious', () => {
    const rows = disguised(200).map((row) => ({ ...row, hidden: false }))
    expect(gradeOf(sharedLocalIp, rows)).toBeUndefined()
  })

  test('a carrier is not suspicious for those of its many customers who use a proxy', () => {
    const direct = visits(60, (index) => ({
      account: `direct-${index}`,
      deviceId: `direct-${index}`,
      ip: HOME,
    }))
    expect(gradeOf(sharedLocalIp, [...disguised(40, 20), ...direct])).toBeUndefined()
    expect(gradeOf(sharedLocalIp, [...disguised(40, 20), ...direct.slice(0, 20)])).toBe('dangerous')
  })

  test('a household of four, each behind a VPN of their own, is not suspicious', () => {
    expect(gradeOf(sharedLocalIp, disguised(4, 25))).toBeUndefined()
  })

  test('one person with one account who changes the VPN’s exit all day is not suspicious', () => {
    const rows = disguised(40, 40).map((row) => ({ ...row, account: 'ada', deviceId: 'laptop' }))
    expect(gradeOf(sharedLocalIp, rows)).toBeUndefined()
  })

  test('neighbours that hide nothing are not suspicious', () => {
    const rows = disguised(40).map((row) => ({ ...row, ip: HOME, leakedIp: undefined, hidden: false }))
    expect(gradeOf(sharedLocalIp, rows)).toBeUndefined()
  })

  test('visits that nobody signed in to, or without a device, never count', () => {
    const nobody = disguised(20, 60).map((row) => ({ ...row, account: undefined }))
    const nowhere = disguised(20, 60).map((row) => ({ ...row, deviceId: undefined }))
    expect(gradeOf(sharedLocalIp, [...nobody, ...nowhere])).toBeUndefined()
  })
})
