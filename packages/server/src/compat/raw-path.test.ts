import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalSegment, escapeSegment, searchPath } from './raw-path.ts'

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

test('whatever a client escapes by the rule is read back as it was', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => canonicalSegment(escapeSegment(text)) === text),
  )
})

test('only the allowed characters stay unescaped', () => {
  expect(escapeSegment("a-._~$&+,:;=@!'()* %/ü")).toBe('a-._~$&+,:;=@%21%27%28%29%2A%20%25%2F%C3%BC')
})

test('any other escaping is compared as the escaped text', () => {
  for (const segment of ['a%2a', '%41', "it's", 'a b', '%zz', '%', '%ff', 'ü'])
    expect(canonicalSegment(segment)).toBe(segment)
})
