import { expect, test } from 'vitest'
import { parseOverviewSearch, presetOf, rangeOf } from './overview-search.ts'

const NOW = Date.UTC(2026, 10, 21, 14, 20)

test('a valid range is kept, anything else falls back to the default', () => {
  expect(parseOverviewSearch({ range: '30d' })).toEqual({ range: '30d' })
  expect(parseOverviewSearch({ first: '2026-11-01', last: '2026-11-03' })).toEqual({
    first: '2026-11-01',
    last: '2026-11-03',
  })
  for (const wrong of [{ range: '3y' }, { first: '2026-11-03', last: '2026-11-01' }, { first: '2026-11-03' }])
    expect(presetOf(parseOverviewSearch(wrong))).toBe('7d')
  expect(parseOverviewSearch({ first: '2026-13-01', last: '2026-13-02' })).toEqual({})
})

test('a preset ends with the current hour; in days it starts at midnight and includes today', () => {
  expect(rangeOf({ range: '24h' }, NOW)).toEqual({
    from: '2026-11-20T15:00:00.000Z',
    to: '2026-11-21T15:00:00.000Z',
  })
  expect(rangeOf({}, NOW)).toEqual({ from: '2026-11-15T00:00:00.000Z', to: '2026-11-21T15:00:00.000Z' })
})

test('a custom range includes all of its last day', () => {
  expect(rangeOf({ first: '2026-11-01', last: '2026-11-01' }, NOW)).toEqual({
    from: '2026-11-01T00:00:00.000Z',
    to: '2026-11-02T00:00:00.000Z',
  })
})
