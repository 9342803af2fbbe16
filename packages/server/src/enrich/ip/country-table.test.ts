import { readFileSync } from 'node:fs'
import { type CountryResponse, Reader } from 'mmdb-lib'
import { describe, expect, test } from 'vitest'
import { formatAddress, parseAddress } from '../../lib/address.ts'
import { bundledCountryFile, countryOfCode, openCountryTable } from './country-table.ts'

const table = openCountryTable(bundledCountryFile())
const codeOf = (text: string) => {
  const address = parseAddress(text)
  if (!address) throw new Error(`not an address: ${text}`)
  return table.lookUp(address)?.code
}

describe('the bundled country table', () => {
  test.each([
    ['8.8.8.8', 'US'],
    ['193.99.144.80', 'DE'],
    ['133.11.0.1', 'JP'],
    ['2003::1', 'DE'],
  ])('%s is in %s', (address, code) => {
    expect(codeOf(address)).toBe(code)
  })

  test.each([
    '10.0.0.1',
    '0.0.0.0',
    '255.255.255.255',
    '::',
    'fe80::1',
    'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
  ])('%s, which is not in use, has no country', (address) => {
    expect(codeOf(address)).toBeUndefined()
  })

  test('has the name of the country and its time zones', () => {
    const address = parseAddress('193.99.144.80')
    expect(address && table.lookUp(address)).toMatchObject({
      name: 'Germany',
      timeZones: ['Europe/Berlin', 'Europe/Zurich'],
    })
  })

  test('has the date of its data', () => {
    expect(table.dataDate).toMatch(/^20\d\d-\d\d-\d\d$/)
  })
})

test('agrees with mmdb-lib on all kinds of addresses', () => {
  const reader = new Reader<CountryResponse & { country_code?: string }>(readFileSync(bundledCountryFile()))
  const disagreements = sampleAddresses().filter((address) => {
    const code = reader.get(formatAddress(address))?.country_code
    // The reader hands out codes that name no country, such as EU.
    return code !== table.lookUp(address)?.code && !(code === 'EU' || code === 'ZZ')
  })
  expect(disagreements.map(formatAddress)).toEqual([])
})

/** Spread over all of IPv4 and over the part of IPv6 that is handed out, by steps that hit every bit. */
function sampleAddresses() {
  const word = (index: number, factor: number) => Math.imul(index + 1, factor) >>> 0
  return Array.from({ length: 20_000 }, (_, index) => {
    if (index % 2) return { family: 4 as const, value: word(index, 0x9e3779b1) }
    const first = 0x20000000 | (word(index, 0x85ebca6b) >>> 3)
    const words = [first, word(index, 0xc2b2ae35), word(index, 0x27d4eb2f), index] as const
    return { family: 6 as const, words }
  })
}

test('opening any other file fails', () => {
  expect(() => openCountryTable(import.meta.filename)).toThrow()
})

const CODES = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'].flatMap((first, _, letters) =>
  letters.map((second) => first + second),
)
const known = CODES.flatMap((code) => countryOfCode(code) ?? [])

test('has English names of countries', () => {
  expect(countryOfCode('DE')?.name).toBe('Germany')
  expect(countryOfCode('JP')?.name).toBe('Japan')
  expect(countryOfCode('XK')?.name).toBe('Kosovo')
})

test('knows every country and territory of ISO 3166', () => {
  expect(known.length).toBeGreaterThanOrEqual(250)
})

test('every country has a time zone, and Node knows each of them', () => {
  for (const { name, timeZones } of known) {
    expect([name, timeZones.length]).not.toEqual([name, 0])
    for (const timeZone of timeZones) expect(() => new Intl.DateTimeFormat('en', { timeZone })).not.toThrow()
  }
})

test.each(['', 'EU', 'ZZ', 'de', 'DEU'])('%j is not a country', (code) => {
  expect(countryOfCode(code)).toBeUndefined()
})
