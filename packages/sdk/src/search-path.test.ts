import type { SearchType } from '@inkling/contract'
import { expect, test } from 'vitest'
import { InklingError } from './inkling-error.ts'
import { searchPath } from './search-path.ts'

const PAGE = { limit: 20, offset: 0 }
const ID = '0191E7A0-1111-4222-8333-444455556666'

test('a UUID is sent in lower case', () => {
  expect(searchPath('device_id', ID, { limit: 5, offset: 40 })).toBe(
    `/api/v1/history/device_id/${ID.toLowerCase()}?limit=5&offset=40`,
  )
})

test.each([
  ['AZaz09-._~$&+,:;=@', 'AZaz09-._~$&+,:;=@'],
  [`!'()*`, '%21%27%28%29%2A'],
  ['a b%c', 'a%20b%25c'],
  ['50%2F', '50%252F'],
  ['zoë?#', 'zo%C3%AB%3F%23'],
  ['…', '%E2%80%A6'],
])('the user_hid %s has one canonical escaping', (value, escaped) => {
  const path = searchPath('user_hid', value, PAGE)
  expect(path).toBe(`/api/v1/history/user_hid/${escaped}?limit=20&offset=0`)
  expect(new URL(path, 'http://history.test').href).toBe(`http://history.test${path}`)
})

test.each<[SearchType, string]>([
  ['request_id', ''],
  ['request_id', 'abc'],
  ['user_hid', ''],
  ['user_hid', '.'],
  ['user_hid', '..'],
  ['user_hid', 'a/b'],
  ['user_hid', '\ud800'],
  ['ip', '1.2.3'],
  ['ip', '1.2.3.4.'],
  ['ip', '01.2.3.4'],
  ['ip', '256.1.1.1'],
  ['ip', '2001:db8::1'],
  ['ip', '0.0.0.0'],
  ['toString' as SearchType, 'x'],
])('%s %j is an error, and nothing is sent', (type, value) => {
  expect(() => searchPath(type, value, PAGE)).toThrow(InklingError)
})

test.each([
  [0, 0],
  [101, 0],
  [1.5, 0],
  [20, -1],
  [20, Number.NaN],
])('limit %d with offset %d is an error instead of being silently replaced', (limit, offset) => {
  expect(() => searchPath('ip', '8.8.8.8', { limit, offset })).toThrow(InklingError)
})
