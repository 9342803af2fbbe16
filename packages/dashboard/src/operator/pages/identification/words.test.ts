import { expect, test } from 'vitest'
import { componentName } from '../../../evidence/evidence-fields.ts'
import { confidenceText, decisionText, rarityText } from './words.ts'

test('every outcome has a sentence, even one that only a later server has', () => {
  for (const outcome of ['cookie', 'device_key', 'linked', 'new', 'separated', 'cookie_carried_over'])
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
