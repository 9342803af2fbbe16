import { expect, test } from 'vitest'
import { componentName, confidenceText, decisionText, rarityText, readable, readableName } from './words.ts'

test('field names of evidence become labels', () => {
  expect(['minMs', 'utc_offset', 'windowScale', 'ttl', 'helloGapMs'].map(readableName)).toEqual([
    'Min, milliseconds',
    'Utc offset',
    'Window scale',
    'TTL',
    'Hello gap, milliseconds',
  ])
})

test('every kind of value fits on one line', () => {
  expect(readable({ markers: ['a', 'b'], webdriver: true, gone: null, ratio: 0.333 })).toBe(
    'Markers: a, b; Webdriver: yes; Gone: unknown; Ratio: 0.33',
  )
  expect([readable([]), readable('')]).toEqual(['none', 'empty'])
})

test('every outcome has a sentence, even one that only a later server has', () => {
  for (const outcome of ['cookie', 'linked', 'new', 'separated', 'cookie_carried_over'])
    expect(decisionText({ outcome })).toMatch(/^(It|The|Its) .*\.$/)
  expect(decisionText({ outcome: 'dna_sample' })).toBe('Decided by: dna sample.')
})

test('confidence never claims certainty', () => {
  expect([0.65, 0.999, 1].map(confidenceText)).toEqual(['65.0%', '99.9%', 'over 99.9%'])
})

test('look-alikes are counted among the devices with the same system and browser', () => {
  expect(rarityText({ clones: 0, devices: 0 })).toContain('no other known device')
  expect(rarityText({ clones: 0, devices: 12 })).toBe('none of 12 known devices with its system and browser')
  expect(rarityText({ clones: 3, devices: 12 })).toMatch(/^3 of 12/)
})

test('components have readable names', () => {
  expect(['gpu', 'raster', 'zoom'].map(componentName)).toEqual(['Graphics card', 'Drawings', 'Zoom'])
})
