import { expect, test } from 'vitest'
import { createOutageRetries } from './outage-retries.ts'

const LOST = new Error('Connection terminated unexpectedly')

/** Retries whose pauses pass at once on a clock of their own. */
function retriesOn(clock: { nowMs: number }) {
  return createOutageRetries(
    async (ms) => {
      clock.nowMs += ms
    },
    () => clock.nowMs,
  )
}

test('an outage is waited for with growing pauses, for less than a minute', async () => {
  const clock = { nowMs: 0 }
  const triedAt: number[] = []
  const run = retriesOn(clock).run(
    () => {
      triedAt.push(clock.nowMs)
      return Promise.reject(LOST)
    },
    () => true,
  )
  await expect(run).rejects.toMatchObject({ code: 'INK_DATABASE_UNAVAILABLE', cause: LOST })
  expect(triedAt.slice(0, 6)).toEqual([0, 250, 750, 1_750, 3_750, 7_750])
  expect(triedAt.at(-1)).toBeGreaterThan(40_000)
  expect(clock.nowMs).toBeLessThanOrEqual(45_000)
})

test.each([
  ['a fault of the statement', new Error('value too long'), true],
  ['an outage whose work nobody wants any more', LOST, false],
])('%s is not tried again', async (_, failure, isWanted) => {
  let tries = 0
  const run = retriesOn({ nowMs: 0 }).run(
    () => {
      tries += 1
      return Promise.reject(failure)
    },
    () => isWanted,
  )
  await expect(run).rejects.toThrow()
  expect(tries).toBe(1)
})
