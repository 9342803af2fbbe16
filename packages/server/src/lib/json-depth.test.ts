import { expect, test } from 'vitest'
import { isDeeperThan } from './json-depth.ts'

test.each([
  ['1', 0, false],
  ['null', 0, false],
  ['[]', 0, true],
  ['[]', 1, false],
  ['{"a":{"b":[1]}}', 3, false],
  ['{"a":{"b":[1]}}', 2, true],
  ['[1,{},[],[[]]]', 3, false],
  ['[1,{},[],[[]]]', 2, true],
  ['{"a":1,"__proto__":{"b":[]}}', 2, true],
])('%s goes over %i levels: %s', (json, levels, over) => {
  expect(isDeeperThan(JSON.parse(json), levels)).toBe(over)
})

test('a value far deeper than any stack is too deep', () => {
  expect(isDeeperThan(JSON.parse('['.repeat(200_000) + ']'.repeat(200_000)), 32)).toBe(true)
})
