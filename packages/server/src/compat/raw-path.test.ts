import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalSegment, escapeSegment, searchPath } from './raw-path.ts'

const query = new URLSearchParams()

test('a search path has a type and a value that is not decoded', () => {
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

test('canonical escaping is decoded to the original text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => canonicalSegment(escapeSegment(text)) === text),
  )
})

test('only the allowed characters are not escaped', () => {
  expect(escapeSegment("a-._~$&+,:;=@!'()* %/ü")).toBe('a-._~$&+,:;=@%21%27%28%29%2A%20%25%2F%C3%BC')
})

test('any other escaping is compared as the escaped text', () => {
  for (const segment of ['a%2a', '%41', "it's", 'a b', '%zz', '%', '%ff', 'ü'])
    expect(canonicalSegment(segment)).toBe(segment)
})
