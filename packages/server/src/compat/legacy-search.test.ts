import { NIL_UUID } from '@inkling/contract'
import { expect, test } from 'vitest'
import { parseLegacySearch } from './legacy-search.ts'

test('the nil request ID is that of markers, whose column is empty', () => {
  expect(parseLegacySearch('request_id', NIL_UUID)).toEqual({
    found: 'lookup',
    lookup: { column: 'request_id', value: null },
  })
})

test('dot segments and the empty address match nothing', () => {
  for (const [type, value] of [
    ['user_hid', '.'],
    ['user_hid', '..'],
    ['ip', '0.0.0.0'],
  ] as const)
    expect(parseLegacySearch(type, value)).toEqual({ found: 'nothing' })
})

test('only dotted IPv4 is searched; IPv6 gets null', () => {
  const bodyOf = (value: string) => {
    const search = parseLegacySearch('ip', value)
    return search.found === 'error' ? search.body : search.found
  }
  expect(bodyOf('91.0.0.1')).toBe('lookup')
  for (const value of ['091.0.0.1', '91.0.0', '1', 'x', '%zz', '91.0.0.1%20'])
    expect(bodyOf(value)).toBe('invalid IP address')
  for (const value of ['::1', '2001:DB8::1', '::ffff:91.0.0.1']) expect(bodyOf(value)).toBeNull()
})

test('an error repeats at most 200 characters of an unknown type', () => {
  expect(parseLegacySearch('t'.repeat(500), 'x')).toEqual({
    found: 'error',
    status: 404,
    body: `${'t'.repeat(200)} is not supported`,
  })
})
