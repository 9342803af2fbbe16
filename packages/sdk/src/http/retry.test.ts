import { expect, test } from 'vitest'
import { InklingError } from '../inkling-error.ts'
import { waitAfter } from './retry.ts'

test('a Retry-After of an hour is not waited for', () => {
  expect(waitAfter(new InklingError('rate_limited', '', { retryAfterMs: 3_600_000 }), 1)).toBe(10_000)
})
