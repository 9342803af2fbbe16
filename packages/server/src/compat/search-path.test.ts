import { expect, test } from 'vitest'
import { searchPath } from './search-path.ts'

const query = new URLSearchParams()

test('a search is a type and a value, both as they were sent', () => {
  expect(searchPath({ segments: ['user_hid', 'a%20b'], query })).toEqual({
    type: 'user_hid',
    value: 'a%20b',
    query,
  })
})

test('an empty value, more segments and an escaped slash match no route', () => {
  for (const segments of [
    [],
    ['ip'],
    ['ip', ''],
    ['', 'x'],
    ['ip', 'x', ''],
    ['user_hid', 'a%2fb'],
    ['a%2F', 'b'],
  ])
    expect(searchPath({ segments, query })).toBeUndefined()
})
