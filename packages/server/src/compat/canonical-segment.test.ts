import fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalSegment, escapeSegment } from './canonical-segment.ts'

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
