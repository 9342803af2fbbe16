import { DETECTION_FLAGS, type HistoryRow } from '@inkling/contract'
import { expect, test } from 'vitest'
import { NO_FLAGS, rowFlags } from './row-flags.ts'

const row = (given: object): HistoryRow => ({ connection_type: 'direct', ...given }) as HistoryRow

test.each(DETECTION_FLAGS)('the flag $flag is read from its column, and alone', ({ flag, column }) => {
  const expected = { ...NO_FLAGS, [flag]: true }
  if (column) {
    expect(rowFlags(row({ [column]: true }), [])).toEqual(expected)
    expect(rowFlags(row({ [column]: false }), [])).toEqual(NO_FLAGS)
  } else if (flag === 'browser_vpn_proxy') {
    expect(rowFlags(row({ connection_type: 'browser_vpn_proxy' }), [])).toEqual(expected)
  } else {
    const entry = { Value: 0, Description: 'IP ≠ leakIP (198.51.100.7 ≠ 203.0.113.10, source=service)' }
    expect(rowFlags(row({}), [entry])).toEqual(expected)
  }
})

test('a row that lacks every column raises no flag', () => {
  expect(Object.keys(NO_FLAGS).toSorted()).toEqual(DETECTION_FLAGS.map(({ flag }) => flag).toSorted())
  expect(rowFlags(row({}), [])).toEqual(NO_FLAGS)
})
