import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { DETECTION_FLAGS } from '../../detection-flags.ts'
import { ScoreDetail } from '../../history-row.ts'
import { signalNameOf } from '../../signal-catalogue.ts'
import {
  EXAMPLE_SECRET,
  PATTERN_EVENTS,
  PATTERN_SIGNATURE,
  PING_SIGNATURE,
  PINGS,
  SCORED_EVENTS,
  SCORED_SIGNATURE,
} from './events.ts'
import { EXPLANATION, ROW, SCORED } from './identification.ts'

/** The bytes of an event as they are sent. */
const sent = (event: unknown): string =>
  JSON.stringify(event).replace(/[&<>]/g, (character) => `\\u00${character.charCodeAt(0).toString(16)}`)
const signed = (event: unknown): string =>
  `sha256=${createHmac('sha256', EXAMPLE_SECRET).update(sent(event)).digest('hex')}`

test('the signatures are those of the events beside them', () => {
  expect(signed(PINGS.ping?.value)).toBe(PING_SIGNATURE)
  expect(signed(SCORED_EVENTS.scored?.value)).toBe(SCORED_SIGNATURE)
  expect(signed(PATTERN_EVENTS.changed?.value)).toBe(PATTERN_SIGNATURE)
})

test('row, event and explanation tell of the same identification', () => {
  const details = ScoreDetail.array().parse(JSON.parse(ROW.score_details))
  const signals = details
    .filter(({ Value }) => Value !== 0)
    .map(({ Value, Description }) => ({ name: signalNameOf(Description), weight: Value }))
  expect(SCORED.data.signals).toEqual(signals)
  expect(EXPLANATION.entries.map(({ name, value }) => ({ name, weight: value }))).toEqual(signals)
  expect(signals.reduce((sum, { weight }) => sum + weight, 0)).toBe(ROW.score)
  for (const { flag, column } of DETECTION_FLAGS)
    if (column !== null) expect(SCORED.data.detection_flags[flag], flag).toBe(ROW[column] ?? false)
  expect(new Date(ROW.ver).toISOString()).toBe(SCORED.data.observed_at)
  expect(`${ROW.created_at.replace(' ', 'T')}Z`).toBe(SCORED.data.observed_at)
})
