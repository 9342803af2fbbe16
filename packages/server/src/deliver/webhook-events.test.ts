import { TEST_SAMPLE } from '@inkling/contract'
import { expect, test } from 'vitest'
import { eventJson, eventSecond, eventTime, eventTypeOf } from './webhook-events.ts'

test('only the characters that clients expect escaped are escaped, wherever they stand', () => {
  const text = new TextDecoder().decode(eventJson({ url: 'a?b=1&c=<2>', 'k&': '\u2028\u2029≠' }))
  expect(text).toBe('{"url":"a?b=1\\u0026c=\\u003c2\\u003e","k\\u0026":"\\u2028\\u2029≠"}')
  expect(JSON.parse(text)).toEqual({ url: 'a?b=1&c=<2>', 'k&': '\u2028\u2029≠' })
})

test('times lose the trailing zeros of their fraction, and nothing else', () => {
  expect(eventTime(Date.UTC(2026, 8, 30, 12, 34, 50, 120))).toBe('2026-09-30T12:34:50.12Z')
  expect(eventTime(Date.UTC(2026, 8, 30, 12, 34, 50, 0))).toBe('2026-09-30T12:34:50Z')
  expect(eventSecond(Date.UTC(2026, 8, 30, 12, 34, 50, 999))).toBe('2026-09-30T12:34:50Z')
})

test('the type of an event is read from its bytes; without one it is a scored identification', () => {
  expect(eventTypeOf(eventJson({ event_type: 'pattern.changed', data: {} }))).toBe('pattern.changed')
  expect(eventTypeOf(eventJson(TEST_SAMPLE))).toBe('identification.scored')
  expect(eventTypeOf(eventJson({}))).toBe('identification.scored')
})
