import { expect, test } from 'vitest'
import { presetOf, rangeOf, readOverviewSearch } from './read-overview-search.ts'

const NOW = Date.UTC(2026, 10, 21, 14, 20)

test('an address keeps a range that is one, and shows the usual one for all else', () => {
  expect(readOverviewSearch({ range: '30d' })).toEqual({ range: '30d' })
  expect(readOverviewSearch({ first: '2026-11-01', last: '2026-11-03' })).toEqual({
    first: '2026-11-01',
    last: '2026-11-03',
  })
  for (const wrong of [{ range: '3y' }, { first: '2026-11-03', last: '2026-11-01' }, { first: '2026-11-03' }])
    expect(presetOf(readOverviewSearch(wrong))).toBe('7d')
  expect(readOverviewSearch({ first: '2026-13-01', last: '2026-13-02' })).toEqual({})
})

test('a preset ends with the present hour; days begin at midnight, and today is one of them', () => {
  expect(rangeOf({ range: '24h' }, NOW)).toEqual({
    from: '2026-11-20T15:00:00.000Z',
    to: '2026-11-21T15:00:00.000Z',
  })
  expect(rangeOf({}, NOW)).toEqual({ from: '2026-11-15T00:00:00.000Z', to: '2026-11-21T15:00:00.000Z' })
})

test('an own range has its last day whole', () => {
  expect(rangeOf({ first: '2026-11-01', last: '2026-11-01' }, NOW)).toEqual({
    from: '2026-11-01T00:00:00.000Z',
    to: '2026-11-02T00:00:00.000Z',
  })
})
