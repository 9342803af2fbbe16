import { describe, expect, test } from 'vitest'
import { daysAgo, gradeOf, hoursAgo, visits } from '../../../test/patterns/visits.ts'
import { changingIdsOnAccount, manyCountriesOnAccount, manyDevicesOnAccount } from './account-patterns.ts'

describe('many devices on an account', () => {
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

  test('a person with phone, tablet, laptop, office computer and a new phone is not suspicious', () => {
    const own = ['phone', 'tablet', 'laptop', 'office', 'new phone']
    const rows = visits(200, (index) => ({ deviceId: own[index % 5], atMs: daysAgo(index / 8) }))
    expect(gradeOf(manyDevicesOnAccount, rows)).toBeUndefined()
  })

  test('a private person behind a VPN, whose visits score 15, is not suspicious for five devices', () => {
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
})

describe('many countries on an account', () => {
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

  test('a journey with a stopover is not suspicious', () => {
    expect(gradeOf(manyCountriesOnAccount, countries(3))).toBeUndefined()
  })

  test('a journey through many countries, a day in each, is not suspicious', () => {
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
})

describe('changing IDs on an account', () => {
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

  test('somebody who opens a private window three times a day is not suspicious, for weeks', () => {
    expect(gradeOf(changingIdsOnAccount, cookies(60, 0, 8))).toBeUndefined()
  })

  test('one browser on many hosts, with a cookie on each, is not suspicious', () => {
    const rows = visits(30, (index) => ({ cookieId: `cookie-${index}`, host: `${index}.shop.example` }))
    expect(gradeOf(changingIdsOnAccount, rows)).toBeUndefined()
  })

  test('two devices that take turns all day are not suspicious', () => {
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
})
