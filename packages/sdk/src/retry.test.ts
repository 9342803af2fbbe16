import { expect, test } from 'vitest'
import { InklingError } from './inkling-error.ts'
import { realSleep, waitAfter } from './retry.ts'

test('a Retry-After of an hour is not waited for', () => {
  expect(waitAfter(new InklingError('rate_limited', '', { retryAfterMs: 3_600_000 }), 1, 0)).toBe(10_000)
})

test.each([
  [1, 0, 200],
  [1, 1, 400],
  [2, 1, 800],
  [3, 0.5, 1_200],
  [9, 1, 5_000],
])('after %i failures, with chance %d, the wait is %i ms', (failures, random, ms) => {
  expect(waitAfter(new InklingError('server_error', ''), failures, random)).toBe(ms)
})

test('after a 429 the wait lasts at least until the next second', () => {
  expect(waitAfter(new InklingError('rate_limited', ''), 1, 0)).toBe(1_000)
})

test('an aborted sleep ends at once', async () => {
  const caller = new AbortController()
  const sleeping = realSleep(60_000, caller.signal)
  caller.abort()
  await expect(sleeping).rejects.toMatchObject({ code: 'aborted' })
  await expect(realSleep(60_000, caller.signal)).rejects.toMatchObject({ code: 'aborted' })
})
