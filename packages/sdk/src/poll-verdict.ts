import { InklingError } from './inkling-error.ts'
import { waitAfter } from './retry.ts'

/** Most rows are there at the first request; the rest come with follow-up checks, which take seconds. */
const FIRST_WAIT_MS = 200
const GROWTH = 1.5
const WAIT_MAX_MS = 1_500
/** Time that a request gets even when the deadline is a millisecond away. */
const LAST_REQUEST_MS = 1_000

export interface PollOptions {
  timeoutMs: number
  now: () => number
  sleep: (ms: number) => Promise<void>
  random: () => number
}

/** The row, or whether the server said at the deadline that there was none. */
export type PollResult<Row> = { row: Row } | { row: undefined; answeredAtDeadline: boolean }

/**
 * Asks at once, then after 200 ms, and each time half as long again up to 1.5 s, the last time at the deadline.
 * A failure that may pass lengthens the wait. It is thrown only if the server never answered at all: "could
 * not ask" is not "not scored yet".
 */
export async function pollVerdict<Row>(
  ask: (remainingMs: number) => Promise<Row | undefined>,
  { timeoutMs, now, sleep, random }: PollOptions,
): Promise<PollResult<Row>> {
  const deadline = now() + timeoutMs
  let answered = false
  let failures = 0
  for (let turn = 0; ; turn++) {
    let waitMs = Math.min(Math.round(FIRST_WAIT_MS * GROWTH ** turn), WAIT_MAX_MS)
    let failure: InklingError | undefined
    try {
      const row = await ask(Math.max(deadline - now(), LAST_REQUEST_MS))
      if (row !== undefined) return { row }
      answered = true
      failures = 0
    } catch (error) {
      if (!(error instanceof InklingError) || !error.retryable) throw error
      failure = error
      failures++
      waitMs += waitAfter(error, failures, random())
    }
    const remainingMs = deadline - now()
    if (remainingMs <= 0) {
      if (failure && !answered) throw failure
      return { row: undefined, answeredAtDeadline: failure === undefined }
    }
    await sleep(Math.min(waitMs, remainingMs))
  }
}
