import { expect, test } from 'vitest'
import {
  filtersOf,
  identifierOf,
  identifierProblem,
  invalidFilters,
  parseTableSearch,
  withIdentifier,
} from './table-search.ts'

const ID = '0191e7a0-1111-4222-8333-444455556666'

test('a filter of the address that means nothing is told apart and not searched for', () => {
  const search = parseTableSearch({
    device_id: ID,
    ip: 'nonsense',
    band: 'dangerous',
    flag: 'vpn',
    score_min: '30',
    finding: 'seven',
    other: 'x',
    live: 'on',
  })
  expect(filtersOf(search)).toEqual({ device_id: ID, band: 'dangerous', flag: 'vpn', score_min: '30' })
  expect(invalidFilters(search)).toEqual(['ip', 'finding'])
  expect(search.live).toBe('on')
})

test('only one identifier is searched for at a time', () => {
  const search = parseTableSearch({ device_id: ID, band: 'trusted' })
  expect(identifierOf(search)).toEqual({ type: 'device_id', value: ID })
  expect(withIdentifier(search, { type: 'ip', value: '192.0.2.1' })).toEqual({
    band: 'trusted',
    ip: '192.0.2.1',
  })
  expect(withIdentifier(search, undefined)).toEqual({ band: 'trusted' })
})

test('an invalid identifier is reported before it is searched for', () => {
  expect(identifierProblem({ type: 'ip', value: '192.0.2.1' })).toBeUndefined()
  for (const value of ['2001:db8::7', '192.0.2.0/24', '2001:db8::/48'])
    expect(identifierProblem({ type: 'ip', value })).toBeUndefined()
  expect(identifierProblem({ type: 'ip', value: '192.0.2' })).toMatch(/IP address/)
  expect(identifierProblem({ type: 'session_id', value: 'abc' })).toMatch(/UUID/)
  expect(identifierProblem({ type: 'user_hid', value: 'anything' })).toBeUndefined()
})
