import { expect, test } from 'vitest'
import type { InklingVerdict } from '../inkling-verdict.ts'
import type { Measured } from '../measure-run.ts'
import { judge } from './judge.ts'

const verdict = (changes: Partial<InklingVerdict> = {}): InklingVerdict => ({
  requestId: 'r',
  score: 0,
  automation: false,
  antidetect: false,
  incognito: false,
  checkIncomplete: false,
  javascriptDisabled: false,
  hits: [],
  unknown: [],
  ...changes,
})

const measured = (changes: Partial<Measured> = {}): Measured => ({
  load: verdict(),
  botd: { bot: false },
  fpscanner: { detected: [] },
  facts: {} as Measured['facts'],
  ...changes,
})

test('a detection at the submit counts, but not as a detection at load', () => {
  const judgement = judge(measured({ action: verdict({ antidetect: true, score: 60 }) }))
  expect(judgement).toMatchObject({ flagged: true, flaggedAtLoad: false, antidetect: true, score: 60 })
})

test('a score without either flag is not a detection', () => {
  expect(judge(measured({ load: verdict({ score: 99, incognito: true }) })).flagged).toBe(false)
})

test('a failed peer is neither right nor wrong', () => {
  const judgement = judge(measured({ botd: { error: 'x' }, fpscanner: { error: 'x' } }))
  expect(judgement).toMatchObject({ botd: undefined, fpscanner: undefined, fpscannerRaw: undefined })
})

test("fpscanner's detections of the environment only count in the raw column", () => {
  const judgement = judge(measured({ fpscanner: { detected: ['hasSwiftshaderRenderer'] } }))
  expect(judgement).toMatchObject({ fpscanner: false, fpscannerRaw: true })
})

test('all verdicts on private mode are kept, so that a right one does not hide a wrong one', () => {
  const judgement = judge(measured({ action: verdict({ incognito: true }) }))
  expect(judgement.incognito).toEqual([false, true])
})
