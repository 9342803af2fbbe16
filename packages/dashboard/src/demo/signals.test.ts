import { expect, test } from 'vitest'
import { valueText, wordsOf } from './signals.ts'

test.each([
  ['gapMinutes', 'gap minutes'],
  ['gap_minutes', 'gap minutes'],
  ['asn', 'asn'],
])('%s reads as %s', (name, words) => {
  expect(wordsOf(name)).toBe(words)
})

test.each([
  ['Europe/Berlin', 'Europe/Berlin'],
  [0, '0'],
  [true, 'yes'],
  [null, 'none'],
  [[], 'none'],
  [['webdriver', 'cdc_'], 'webdriver, cdc_'],
  [{ a: 1 }, '{"a":1}'],
])('the evidence %j is shown as %s', (value, text) => {
  expect(valueText(value)).toBe(text)
})
