import { expect, test } from 'vitest'
import { readable, readableName } from './readable.ts'

test('names of evidence become words', () => {
  expect(['minMs', 'utc_offset', 'windowScale', 'ttl', 'helloGapMs'].map(readableName)).toEqual([
    'Min, milliseconds',
    'Utc offset',
    'Window scale',
    'TTL',
    'Hello gap, milliseconds',
  ])
})

test('every kind of value reads in one line', () => {
  expect(readable({ markers: ['a', 'b'], webdriver: true, gone: null, ratio: 0.333 })).toBe(
    'Markers: a, b; Webdriver: yes; Gone: unknown; Ratio: 0.33',
  )
  expect([readable([]), readable('')]).toEqual(['none', 'empty'])
})
