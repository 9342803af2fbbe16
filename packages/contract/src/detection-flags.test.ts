import { expect, test } from 'vitest'
import { columnsOfFlags, DETECTION_FLAGS, FLAG_COLUMNS, flagsOfRow, NO_FLAGS } from './detection-flags.ts'

const ROW = { connection_type: 'direct' }

test.each(DETECTION_FLAGS)('the flag $flag is read from its own column only', ({ flag, column }) => {
  const expected = { ...NO_FLAGS, [flag]: true }
  if (column) {
    expect(flagsOfRow({ ...ROW, [column]: true }, [])).toEqual(expected)
    expect(flagsOfRow({ ...ROW, [column]: false }, [])).toEqual(NO_FLAGS)
  } else if (flag === 'browser_vpn_proxy') {
    expect(flagsOfRow({ connection_type: 'browser_vpn_proxy' }, [])).toEqual(expected)
  } else {
    expect(flagsOfRow(ROW, ['IP ≠ leakIP (198.51.100.7 ≠ 203.0.113.10, source=service)'])).toEqual(expected)
  }
})

test('a row that lacks every column raises no flag', () => {
  expect(Object.keys(NO_FLAGS).toSorted()).toEqual(DETECTION_FLAGS.map(({ flag }) => flag).toSorted())
  expect(flagsOfRow(ROW, [])).toEqual(NO_FLAGS)
})

test('a row has the column of every flag; that of paid clicks comes last, and only if true', () => {
  const columns = DETECTION_FLAGS.flatMap(({ column }) => column ?? [])
  expect([...FLAG_COLUMNS, 'is_suspicious_paid_click'].toSorted()).toEqual(columns.toSorted())
})

test.each(DETECTION_FLAGS)('the flag $flag is written to its own column only', ({ flag, column }) => {
  const columns = columnsOfFlags({ ...NO_FLAGS, [flag]: true })
  expect(Object.keys(columns)).toEqual(FLAG_COLUMNS)
  expect(Object.entries(columns).filter(([, raised]) => raised)).toEqual(
    column === null || column === 'is_suspicious_paid_click' ? [] : [[column, true]],
  )
})
