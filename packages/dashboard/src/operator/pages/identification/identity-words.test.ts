import { expect, test } from 'vitest'
import { componentName, confidenceText, decisionText, rarityText } from './identity-words.ts'

test('every outcome has a sentence, and one of a later server is not left out', () => {
  for (const outcome of ['cookie', 'linked', 'new', 'separated', 'cookie_carried_over'])
    expect(decisionText({ outcome })).toMatch(/^(It|The|Its) .*\.$/)
  expect(decisionText({ outcome: 'dna_sample' })).toBe('It was decided by: dna sample.')
})

test('confidence never claims certainty', () => {
  expect([0.65, 0.999, 1].map(confidenceText)).toEqual(['65.0 %', '99.9 %', 'over 99.9 %'])
})

test('how rare a device looks is told against those it could be mistaken for', () => {
  expect(rarityText({ clones: 0, devices: 0 })).toContain('no other device')
  expect(rarityText({ clones: 0, devices: 12 })).toBe(
    'none of 12 known with its system and browser looked the same',
  )
  expect(rarityText({ clones: 3, devices: 12 })).toMatch(/^3 of 12/)
})

test('components read as words', () => {
  expect(['gpu', 'canvas', 'zoom'].map(componentName)).toEqual(['Graphics card', 'Canvas', 'Zoom'])
})
