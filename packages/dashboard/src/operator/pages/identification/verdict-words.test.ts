import { SIGNAL_CATALOGUE } from '@inkling/contract'
import { expect, test } from 'vitest'
import { verdictSentences } from './verdict-words.ts'

const found = (name: string, value: number) => ({
  name,
  title: name,
  description: name,
  weight: value,
  value,
  evidence: {},
})

test('the weightiest finding comes first, and what added nothing is left out', () => {
  const entries = [found('proxy', 10), found('browser_automation', 60), found('ip_mismatch', 0)]
  expect(verdictSentences({ score: 70, entries })).toEqual([
    'A program drove this browser; a proxy passed it on.',
  ])
})

test('every signal has words of its own, and one of a later server its title', () => {
  for (const name of Object.keys(SIGNAL_CATALOGUE))
    expect(verdictSentences({ score: 60, entries: [found(name, 60)] })[0]).toMatch(/^[A-Z][^“”]+[a-zA-Z]\.$/)
  expect(verdictSentences({ score: 60, entries: [found('dna_sample', 60)] })).toEqual([
    '“dna_sample” was found.',
  ])
})

test('a visit without findings is only called clean where enough of it is known', () => {
  expect(verdictSentences({ score: 0, entries: [], evidence: 0.9 })).toEqual([
    'Nothing speaks against this visit.',
  ])
  expect(verdictSentences({ score: 0, entries: [], evidence: 0.1 })[0]).toContain('hardly anything is known')
  expect(verdictSentences({ score: 999, entries: [] })[0]).toContain('was not judged')
})

test('a low score is not told as an accusation', () => {
  expect(verdictSentences({ score: 10, entries: [found('proxy', 10)] })).toEqual([
    'Little speaks against this visit: a proxy passed it on.',
  ])
})
