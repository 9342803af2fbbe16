import { InklingError } from './inkling-error.ts'

export interface RetryOptions {
  /** How often to try, the first time included. Default 4; 1 switches retries off. */
  attempts?: number
}

const ATTEMPTS = 4
const FIRST_WAIT_MS = 400
const WAIT_MAX_MS = 5_000
/** History counts requests by the second, so the next second has room. */
const RATE_LIMIT_WAIT_MS = 1_000
/** A proxy may ask for an hour, which no caller of this package waits. */
const RETRY_AFTER_MAX_MS = 10_000

/**
 * How long to wait after so many failures in a row, in milliseconds. The wait doubles each time, and half of
 * it is random, so that processes that failed together do not all come back together ("equal jitter" in
 * https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/). A 429 waits a second at least, and
 * `Retry-After` is honoured up to ten seconds.
 *
 * @param random a number from 0 to 1
 */
export function waitAfter(error: InklingError, failures: number, random: number): number {
  const longestMs = Math.min(FIRST_WAIT_MS * 2 ** (failures - 1), WAIT_MAX_MS)
  const backoffMs = Math.round(longestMs * (0.5 + random / 2))
  const askedMs = Math.min(error.retryAfterMs ?? 0, RETRY_AFTER_MAX_MS)
  return Math.max(backoffMs, askedMs, error.code === 'rate_limited' ? RATE_LIMIT_WAIT_MS : 0)
}

interface Waiting {
  sleep: (ms: number) => Promise<void>
  random: () => number
}

/** Calls again while the failure may pass by itself. Throws the last failure. */
export async function withRetry<Result>(
  call: () => Promise<Result>,
  { attempts = ATTEMPTS }: RetryOptions,
  { sleep, random }: Waiting,
): Promise<Result> {
  for (let failures = 1; ; failures++) {
    try {
      return await call()
    } catch (error) {
      if (!(error instanceof InklingError) || !error.retryable || failures >= attempts) throw error
      await sleep(waitAfter(error, failures, random()))
    }
  }
}

/** Waits. The signal ends the wait early, with an `aborted` error. */
export type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>

export const realSleep: Sleep = (ms, signal) =>
  new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer)
      reject(new InklingError('aborted', 'aborted by the caller', { cause: signal?.reason }))
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort)
      resolve()
    }, ms)
    if (signal?.aborted) abort()
    else signal?.addEventListener('abort', abort, { once: true })
  })
