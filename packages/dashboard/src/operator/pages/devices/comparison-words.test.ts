import type { DeviceComparison } from '@inkling/contract/account'
import { expect, test } from 'vitest'
import { comparisonText, rateText } from './comparison-words.ts'

const DEVICE = { device_id: '', request_id: null, at: null }
const comparison = (given: Partial<DeviceComparison>): DeviceComparison => ({
  ...{ a: DEVICE, b: DEVICE, same_device: false, other_family: false, change_rate: 1, parts: [] },
  ...given,
})
const different: DeviceComparison['parts'] = [
  { part: 'gpu', a: 'one', b: 'other', result: 'different', change_rate: 0.01 },
]

test('a rate is told as a round number of visits', () => {
  expect([0.9, 0.12, 0.01, 0.000_37].map(rateText)).toEqual([
    'in most visits',
    'about once in 8 visits',
    'about once in 100 visits',
    'about once in 3,000 visits',
  ])
})

test('a comparison never says more than is known', () => {
  expect(comparisonText(comparison({ same_device: true }))).toContain('merged')
  expect(comparisonText(comparison({ change_rate: null }))).toContain('cannot be compared')
  expect(comparisonText(comparison({ other_family: true, parts: different }))).toContain('never')
  expect(comparisonText(comparison({}))).toContain('or two of one model')
  expect(comparisonText(comparison({ parts: different }))).toContain('only in what people often change')
  expect(comparisonText(comparison({ parts: different, change_rate: 0.01 }))).toContain('once in 100 visits')
})
