import type { ReadingValues } from '@inkling/contract'
import { expect, test } from 'vitest'
import { identified, ordinaryReadings, value } from '../../../test/identified.ts'
import { inputIndicators } from './input-indicators.ts'

type Input = ReadingValues['input']

const NOTHING: Input = {
  moves: 0,
  moves_before_click: null,
  clicks: 0,
  unfocused: 0,
  centred: 0,
  hold_ms: null,
  keys: 0,
  key_gap_ms: null,
}
const PERSON: Input = {
  ...NOTHING,
  moves: 51,
  moves_before_click: 40,
  clicks: 2,
  centred: 1,
  hold_ms: 90,
  keys: 20,
  key_gap_ms: 160,
}
const indicatorsOf = (given: Partial<Input>, nested = false) =>
  inputIndicators(
    identified({
      readings: {
        ...ordinaryReadings(),
        input: value({ ...NOTHING, ...given }),
        frame: value({ nested, cross_origin: false }),
      },
    }),
  )

test.each<[string, Partial<Input>]>([
  ['a person', PERSON],
  ['a person who has not done anything', {}],
  ['a person who happens to click in the middle twice', { ...PERSON, clicks: 3, centred: 2 }],
  ['somebody who only types', { keys: 30, key_gap_ms: 140 }],
  ['a few fast keys, as of a word that is held', { ...PERSON, keys: 4, key_gap_ms: 3 }],
])('%s gives no indicator', (_, input) => {
  expect(indicatorsOf(input)).toEqual([])
})

test('a password manager and a tap on a trackpad are no verdict, even together', () => {
  expect(indicatorsOf({ ...PERSON, key_gap_ms: 2, hold_ms: 1 })).toMatchObject([
    { name: 'input', points: 14 },
  ])
})

test('all indicators together are no verdict, because voice control has most of them', () => {
  expect(
    indicatorsOf({
      moves: 3,
      moves_before_click: 1,
      clicks: 3,
      centred: 3,
      hold_ms: 0.1,
      keys: 26,
      key_gap_ms: 2,
    }),
  ).toMatchObject([
    {
      name: 'input',
      points: 24,
      evidence: { signs: ['instant_keys', 'instant_clicks', 'centred_clicks', 'few_moves'] },
    },
  ])
})

test('clicks in a window without focus are a separate indicator, except in frames', () => {
  expect(indicatorsOf({ ...PERSON, unfocused: 2 })).toMatchObject([
    { group: 'focus', points: 20, evidence: 2 },
  ])
  expect(indicatorsOf({ ...PERSON, unfocused: 2 }, true)).toEqual([])
})

test('a missing reading gives no indicator', () => {
  expect(inputIndicators(identified())).toEqual([])
})
