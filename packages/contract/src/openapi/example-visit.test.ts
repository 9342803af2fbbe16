import { expect, test } from 'vitest'
import { DETECTION_FLAGS } from '../detection-flags.ts'
import { ScoreDetail } from '../history-row.ts'
import { signalNameOf } from '../signals.ts'
import { EXPLANATION, ROW, SCORED } from './example-visit.ts'

test('row, event and explanation show the same identification', () => {
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
