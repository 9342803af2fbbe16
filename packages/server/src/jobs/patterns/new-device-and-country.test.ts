import { expect, test } from 'vitest'
import { daysAgo, gradeOf, hoursAgo, visit, visits } from '../../../test/patterns/visits.ts'
import { newDeviceAndCountry } from './new-device-and-country.ts'

/** Two months at home on one phone, until this morning. */
const past = (score = 0) => [
  ...visits(12, (index) => ({ atMs: daysAgo(8 + index * 5), score })),
  visit({ atMs: hoursAgo(3), score }),
]
const stranger = (index = 0, score = 0) =>
  visit({ deviceId: `stranger-${index}`, country: `Elsewhere-${index}`, atMs: hoursAgo(1), score })

test('a new device in a new country, while the phone is at home, is suspicious', () => {
  expect(gradeOf(newDeviceAndCountry, [...past(), stranger()])).toBe('suspicious')
})

test('two such devices are dangerous', () => {
  expect(gradeOf(newDeviceAndCountry, [...past(), stranger(0), stranger(1)])).toBe('dangerous')
})

test('with high scores one is dangerous, and suspicious even when the phone was not used', () => {
  expect(gradeOf(newDeviceAndCountry, [...past(60), stranger(0, 60)])).toBe('dangerous')
  const unused = past(60).filter(({ atMs }) => atMs < daysAgo(1))
  expect(gradeOf(newDeviceAndCountry, [...unused, stranger(0, 60)])).toBe('suspicious')
})

test('a phone bought on a journey is not suspicious: the old one was not used', () => {
  const unused = past().filter(({ atMs }) => atMs < daysAgo(1))
  expect(gradeOf(newDeviceAndCountry, [...unused, stranger()])).toBeUndefined()
})

test('a journey with the known phone and a new laptop is not suspicious', () => {
  const abroad = visit({ country: 'Elsewhere-0', atMs: hoursAgo(2) })
  expect(gradeOf(newDeviceAndCountry, [...past(), abroad, stranger()])).toBeUndefined()
})

test('a new device at home, or a known one abroad, is not suspicious', () => {
  const laptop = visit({ deviceId: 'laptop', atMs: hoursAgo(1) })
  const abroad = visit({ country: 'Spain', atMs: hoursAgo(1) })
  expect(gradeOf(newDeviceAndCountry, [...past(), laptop])).toBeUndefined()
  expect(gradeOf(newDeviceAndCountry, [...past(), abroad])).toBeUndefined()
})

test('the exit of a VPN is no new country', () => {
  const rows = [0, 1, 2].map((index) => ({ ...stranger(index, 45), hidden: true }))
  expect(gradeOf(newDeviceAndCountry, [...past(), ...rows])).toBeUndefined()
})

test('an account without history has nothing to compare new devices with', () => {
  const young = [visit({ atMs: daysAgo(8) }), visit({ atMs: hoursAgo(3) }), stranger(0, 60), stranger(1, 60)]
  expect(gradeOf(newDeviceAndCountry, young)).toBeUndefined()
})

test('a device of more than a week ago is no longer new', () => {
  const rows = [0, 1].map((index) => ({ ...stranger(index), atMs: daysAgo(7.5) }))
  expect(gradeOf(newDeviceAndCountry, [...past(), ...rows])).toBeUndefined()
})

test('a visit without a usable device is never new', () => {
  expect(
    gradeOf(newDeviceAndCountry, [...past(60), { ...stranger(0, 60), deviceId: undefined }]),
  ).toBeUndefined()
})
