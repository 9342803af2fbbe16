import { describe, expect, test } from 'vitest'
import { bundledCountryFile, openCountryTable } from './country-table.ts'

describe('the bundled country table', () => {
  const table = openCountryTable(bundledCountryFile())

  test.each([
    ['8.8.8.8', 'US'],
    ['193.99.144.80', 'DE'],
    ['133.11.0.1', 'JP'],
    ['2001:4860:4860::8888', undefined],
    ['2003::1', 'DE'],
  ])('%s', (address, code) => {
    if (code) expect(table.lookUp(address)).toBe(code)
    else expect(table.lookUp(address)).toMatch(/^[A-Z]{2}$/)
  })

  test('an address that nobody uses has no country', () => {
    expect(table.lookUp('10.0.0.1')).toBeUndefined()
    expect(table.lookUp('fe80::1')).toBeUndefined()
  })

  test('tells the day of its data', () => {
    expect(table.dataDate).toMatch(/^20\d\d-\d\d-\d\d$/)
  })
})

test('a file that is no country database refuses to open', () => {
  expect(() => openCountryTable(import.meta.filename)).toThrow()
})
