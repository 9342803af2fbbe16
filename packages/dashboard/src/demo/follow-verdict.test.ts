import { expect, test } from 'vitest'
import type { DemoVerdict, VerdictAnswer } from './demo-api.ts'
import { followVerdict, type Progress } from './follow-verdict.ts'

const SCORED = { kind: 'scored', verdict: { row: {}, explanation: null } as DemoVerdict } as const
const DELIVERED = { kind: 'scored', verdict: { ...SCORED.verdict, webhook: {} } as DemoVerdict } as const

/** Collects the results. Time passes only in `sleep`, and the last answer repeats. */
async function follow(answers: VerdictAnswer[], stop = new AbortController(), stopAfter = Infinity) {
  let time = 0
  let reads = 0
  const steps: Progress[] = []
  const progress = followVerdict({
    read: async () => {
      const answer = answers[Math.min(reads++, answers.length - 1)]
      if (reads >= stopAfter) stop.abort()
      return answer ?? { kind: 'unreachable' }
    },
    now: () => time,
    sleep: async (ms) => {
      time += ms
    },
    signal: stop.signal,
  })
  for await (const step of progress) steps.push(step)
  return { steps, reads, time }
}

test('it polls from "not scored yet" to the row to its webhook, and stops', async () => {
  const { steps, reads } = await follow([{ kind: 'not_scored' }, SCORED, SCORED, DELIVERED])
  expect(steps.map((step) => step.kind === 'scored' && step.settled)).toEqual([false, false, true])
  expect(reads).toBe(4)
})

test('without a webhook it settles when nothing can change any more', async () => {
  const { steps, time } = await follow([SCORED])
  expect(steps.at(-1)).toMatchObject({ kind: 'scored', settled: true })
  expect(time).toBeGreaterThanOrEqual(12_000)
})

test('a failure after the row does not discard the verdict', async () => {
  const { steps } = await follow([SCORED, { kind: 'unreachable' }])
  expect(steps).toEqual([{ ...SCORED, settled: false }])
})

test.each([
  ['not_scored', 'not_scored'],
  ['unreachable', 'server_unreachable'],
  ['unavailable', 'history_unavailable'],
  ['rate_limited', 'history_unavailable'],
] as const)('after 20 s of %s it fails with %s', async (kind, reason) => {
  const { steps, time } = await follow([{ kind }])
  expect(steps).toEqual([{ kind: 'failed', reason }])
  expect(time).toBeGreaterThanOrEqual(20_000)
})

test('a rejected key fails immediately', async () => {
  const { steps, time } = await follow([{ kind: 'api_key_rejected' }])
  expect(steps).toEqual([{ kind: 'failed', reason: 'api_key_rejected' }])
  expect(time).toBe(0)
})

test('when another visit starts it yields nothing more', async () => {
  const { steps, reads } = await follow([{ kind: 'not_scored' }, SCORED], new AbortController(), 2)
  expect(steps).toEqual([])
  expect(reads).toBe(2)
})

test('it stays below the History limit of 15 requests a second', async () => {
  const { reads, time } = await follow([SCORED])
  // A read of a scored visit costs two requests: the row and its explanation.
  expect((2 * reads) / (time / 1_000)).toBeLessThan(15)
})
