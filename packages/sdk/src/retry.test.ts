import { expect, test } from 'vitest'
import { InklingError } from './inkling-error.ts'
import { realSleep, waitAfter } from './retry.ts'

test('a Retry-After of an hour is not waited for', () => {
  expect(waitAfter(new InklingError('rate_limited', '', { retryAfterMs: 3_600_000 }), 1)).toBe(10_000)
})

test('an aborted sleep ends at once', async () => {
  const caller = new AbortController()
  const sleeping = realSleep(60_000, caller.signal)
  caller.abort()
  await expect(sleeping).rejects.toMatchObject({ code: 'aborted' })
  await expect(realSleep(60_000, caller.signal)).rejects.toMatchObject({ code: 'aborted' })
})
