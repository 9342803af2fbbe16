import { expect, test } from 'vitest'
import { formatQuery, parseQuery } from '../../search-params.ts'
import {
  changedSearch,
  chosenAmong,
  filtersOf,
  identifierOf,
  identifierProblem,
  invalidValues,
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
  expect(filtersOf(search)).toEqual({
    device_id: [ID],
    band: ['dangerous'],
    flag: ['vpn'],
    score_min: '30',
  })
  expect(invalidValues(search)).toEqual([
    ['ip', 'nonsense'],
    ['finding', 'seven'],
  ])
  expect(search.live).toBe('on')
})

test('the search box has the only identifier of the address, and replaces all but those that rows may not have', () => {
  const search = parseTableSearch({ device_id: ID, band: 'trusted' })
  expect(identifierOf(search)).toEqual({ type: 'device_id', value: ID })
  expect(withIdentifier(search, { type: 'ip', value: '192.0.2.1' })).toEqual({
    band: 'trusted',
    ip: '192.0.2.1',
  })
  expect(withIdentifier(search, undefined)).toEqual({ band: 'trusted' })
  const several = parseTableSearch({ device_id: [ID, ID], user_hid: 'ada', not_user_hid: 'ben' })
  expect(identifierOf(several)).toBeUndefined()
  expect(withIdentifier(several, { type: 'ip', value: '192.0.2.1' })).toEqual({
    not_user_hid: 'ben',
    ip: '192.0.2.1',
  })
})

test('an invalid identifier is reported before it is searched for', () => {
  expect(identifierProblem({ type: 'ip', value: '192.0.2.1' })).toBeUndefined()
  for (const value of ['2001:db8::7', '192.0.2.0/24', '2001:db8::/48'])
    expect(identifierProblem({ type: 'ip', value })).toBeUndefined()
  expect(identifierProblem({ type: 'ip', value: '192.0.2' })).toMatch(/IP address/)
  expect(identifierProblem({ type: 'session_id', value: 'abc' })).toMatch(/UUID/)
  expect(identifierProblem({ type: 'user_hid', value: 'anything' })).toBeUndefined()
})

test('the address has several values of a filter as they were chosen, and reads them back', () => {
  const search = { country: ['Germany', "Côte d'Ivoire", 'a,b&c'], not_band: 'trusted', sort: 'riskiest' }
  const address = formatQuery(search)
  expect(address).toBe(
    '?country=Germany&country=C%C3%B4te+d%27Ivoire&country=a%2Cb%26c&not_band=trusted&sort=riskiest',
  )
  expect(parseTableSearch(parseQuery(address.slice(1)))).toEqual(search)
  expect(filtersOf(search)).toEqual({ ...search, not_band: ['trusted'] })
})

test('of several values those that mean nothing or are too many are told apart from the others', () => {
  const search = parseTableSearch({
    band: ['trusted', 'evil'],
    signal: ['a', 'b', 'c', 'd', 'e', 'f'],
    user_hid: ['ada', 'ben'],
    not_device_id: [ID, 'abc'],
    ip: ['192.0.2.1', '192.0.2.0/24', '192.0.2'],
    score_min: ['1', '2'],
  })
  expect(filtersOf(search)).toEqual({
    band: ['trusted'],
    signal: ['a', 'b', 'c', 'd', 'e'],
    user_hid: ['ada', 'ben'],
    not_device_id: [ID],
    ip: ['192.0.2.1', '192.0.2.0/24'],
    score_min: '2',
  })
  expect(invalidValues(search)).toEqual([
    ['ip', '192.0.2'],
    ['band', 'evil'],
    ['signal', 'f'],
    ['not_device_id', 'abc'],
  ])
})

test('a filter goes with its last value, and the unknown country stays until it is removed itself', () => {
  const search = parseTableSearch({ country: ['', 'France'], score_min: '30' })
  const unknown = changedSearch(search, { country: [''] })
  expect(unknown).toEqual({ country: '', score_min: '30' })
  const calm = changedSearch(unknown, { score_min: '' })
  expect(calm).toEqual({ country: '' })
  expect(changedSearch(calm, { country: [] })).toEqual({})
  expect(changedSearch(calm, { country: undefined, not_country: ['France'] })).toEqual({
    not_country: 'France',
  })
})

test('values that are chosen before the address has those chosen before are added to them', () => {
  expect(chosenAmong(['a'], ['a'], ['a', 'b'])).toEqual(['a', 'b'])
  expect(chosenAmong(['a', 'b'], ['a'], ['a', 'c'])).toEqual(['a', 'b', 'c'])
  expect(chosenAmong(['a', 'b'], ['a', 'b'], ['b'])).toEqual(['b'])
  expect(chosenAmong(['a', 'b'], ['a'], [])).toEqual(['b'])
})
