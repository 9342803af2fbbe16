import { expect, test } from 'vitest'
import { identifierOf, readSearch, whyNotSearchable, withIdentifier } from './read-search.ts'

const ID = '0191e7a0-1111-4222-8333-444455556666'

test('an address keeps what the API accepts and loses the rest, field by field', () => {
  expect(
    readSearch({
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

test('a search is by one identifier at a time', () => {
  const search = readSearch({ device_id: ID, band: 'trusted' })
  expect(identifierOf(search)).toEqual({ type: 'device_id', value: ID })
  expect(withIdentifier(search, { type: 'ip', value: '192.0.2.1' })).toEqual({
    band: 'trusted',
    ip: '192.0.2.1',
  })
  expect(withIdentifier(search, undefined)).toEqual({ band: 'trusted' })
})

test('a value that cannot be an identifier is told before it is asked for', () => {
  expect(whyNotSearchable({ type: 'ip', value: '192.0.2.1' })).toBeUndefined()
  expect(whyNotSearchable({ type: 'ip', value: '192.0.2' })).toMatch(/IPv4/)
  expect(whyNotSearchable({ type: 'session_id', value: 'abc' })).toMatch(/UUID/)
  expect(whyNotSearchable({ type: 'user_hid', value: 'anything' })).toBeUndefined()
})
