import { expect, test } from 'vitest'
import { identifierOf, identifierProblem, parseTableSearch, withIdentifier } from './table-search.ts'

const ID = '0191e7a0-1111-4222-8333-444455556666'

test('each filter of an address is kept if the API accepts it', () => {
  expect(
    parseTableSearch({
      device_id: ID,
      ip: 'nonsense',
      band: 'dangerous',
      flag: 'vpn',
      score_min: '30',
      other: 'x',
      live: 'on',
    }),
  ).toEqual({ device_id: ID, band: 'dangerous', flag: 'vpn', score_min: '30', live: 'on' })
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
  expect(identifierProblem({ type: 'ip', value: '192.0.2' })).toMatch(/IPv4/)
  expect(identifierProblem({ type: 'session_id', value: 'abc' })).toMatch(/UUID/)
  expect(identifierProblem({ type: 'user_hid', value: 'anything' })).toBeUndefined()
})
