import type { ReadingValues } from '@inkling/contract'
import { expect, test } from 'vitest'
import { identified, ordinaryReadings, value } from '../../../test/identified.ts'
import { clientFacts } from '../../enrich/client-facts.ts'
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

const IPAD_AS_MAC =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15'
const IPAD = IPAD_AS_MAC.replace('Macintosh; Intel Mac OS X 10_15_7', 'iPad; CPU OS 18_6 like Mac OS X')

const clickingAs = (userAgent: string, maxTouchPoints: number | undefined, evalLength: number) =>
  inputIndicators(
    identified({
      client: clientFacts({ userAgent, maxTouchPoints }),
      readings: {
        ...ordinaryReadings(),
        input: value({ ...PERSON, unfocused: 2 }),
        engine: value({ features: '', eval_length: evalLength, error_style: '' }),
      },
    }),
  )

test.each<[string, string, number | undefined]>([
  ['that names itself', IPAD, 5],
  ['that asks for desktop pages', IPAD_AS_MAC, 5],
  ['that asks for desktop pages, whose touch points are not known', IPAD_AS_MAC, undefined],
])('a trackpad on an iPad %s clicks without focus', (_, userAgent, maxTouchPoints) => {
  expect(clickingAs(userAgent, maxTouchPoints, 37)).toEqual([])
})

test('Chromium that calls itself an iPad still counts, and so does Firefox on a desktop', () => {
  expect(clickingAs(IPAD, 5, 33)).toMatchObject([{ group: 'focus' }])
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:153.0) Gecko/20100101 Firefox/153.0'
  expect(clickingAs(firefox, 0, 37)).toMatchObject([{ group: 'focus' }])
})

test('a missing reading gives no indicator', () => {
  expect(inputIndicators(identified())).toEqual([])
})
