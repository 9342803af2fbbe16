import { expect, test } from 'vitest'
import { countryOfCode } from './country-names.ts'

const CODES = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].flatMap((first, _, letters) =>
  letters.map((second) => first + second),
)
const known = CODES.flatMap((code) => countryOfCode(code) ?? [])

test('names countries in English', () => {
  expect(countryOfCode('DE')?.name).toBe('Germany')
  expect(countryOfCode('JP')?.name).toBe('Japan')
  expect(countryOfCode('XK')?.name).toBe('Kosovo')
})

test('knows every country and territory of ISO 3166', () => {
  expect(known.length).toBeGreaterThanOrEqual(250)
})

test('every country has a zone, and this runtime knows each zone', () => {
  for (const { name, timeZones } of known) {
    expect([name, timeZones.length]).not.toEqual([name, 0])
    for (const timeZone of timeZones) expect(() => new Intl.DateTimeFormat('en', { timeZone })).not.toThrow()
  }
})

test.each(['', 'EU', 'ZZ', 'de', 'DEU'])('%j names no country', (code) => {
  expect(countryOfCode(code)).toBeUndefined()
})
