import { InklingError } from '../inkling-error.ts'

export interface RetryOptions {
  /** Tries in all, the first one included; 1 never repeats. Default 4. */
  attempts?: number
}

const ATTEMPTS = 4
const BACKOFF_MS = [250, 500, 1_000, 2_000] as const
/** The History limit is counted per second. */
const RATE_LIMIT_WAIT_MS = 1_000
/** A proxy's Retry-After may ask for an hour; nobody waits that long in a request. */
const RETRY_AFTER_MAX_MS = 10_000

/** How long to wait, in milliseconds, after that many failures in a row and before the next try. */
export function waitAfter(error: InklingError, failures: number): number {
  const backoff = BACKOFF_MS[Math.min(failures, BACKOFF_MS.length) - 1] ?? BACKOFF_MS[0]
  const least = error.code === 'rate_limited' ? Math.max(backoff, RATE_LIMIT_WAIT_MS) : backoff
  return Math.max(least, Math.min(error.retryAfterMs ?? 0, RETRY_AFTER_MAX_MS))
}

/** Repeats a call while its failure may pass by itself. */
export async function withRetry<Result>(
  call: () => Promise<Result>,
  { attempts = ATTEMPTS }: RetryOptions,
  sleep: (ms: number) => Promise<void>,
): Promise<Result> {
  for (let failures = 1; ; failures++) {
    try {
      return await call()
    } catch (error) {
      const passing = error instanceof InklingError && error.retryable
      if (!passing || failures >= attempts) throw error
      await sleep(waitAfter(error, failures))
    }
  }
}
