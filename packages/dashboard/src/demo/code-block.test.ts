import { expect, test } from 'vitest'
import { jsonTokens, prettyJson } from './code-block.ts'

const TRICKY = {
  'a "quoted": key': 'text with \\ and "quotes": 1, true',
  empty: '',
  numbers: [-1, 2.5, 1e21],
  words: [true, false, null],
  nested: { '≠': '\u2028' },
}

test('tokens joined again give the same text', () => {
  const json = JSON.stringify(TRICKY, null, 2)
  expect(
    jsonTokens(json)
      .map(({ text }) => text)
      .join(''),
  ).toBe(json)
})

test('keys, strings, numbers and literals are distinguished', () => {
  const kinds = jsonTokens('{"a": "b: 1", "c": -2, "d": null}').filter(({ kind }) => kind !== 'plain')
  expect(kinds).toEqual([
    { kind: 'key', text: '"a"' },
    { kind: 'string', text: '"b: 1"' },
    { kind: 'key', text: '"c"' },
    { kind: 'number', text: '-2' },
    { kind: 'key', text: '"d"' },
    { kind: 'word', text: 'null' },
  ])
})

test('a body that is not JSON is shown unchanged', () => {
  expect(prettyJson('not json')).toBe('not json')
  expect(prettyJson('{"a":"\\u0026"}')).toBe('{\n  "a": "&"\n}')
})
