import { waitAfter } from '../http/retry.ts'
import { InklingError } from '../inkling-error.ts'

const FIRST_WAITS_MS = [250, 500, 1_000] as const
const LATER_WAIT_MS = 1_500
/** The last try gets a real chance, even when the deadline is a millisecond away. */
const LAST_TRY_MS = 1_000

export interface PollOptions {
  timeoutMs: number
  now: () => number
  sleep: (ms: number) => Promise<void>
}

/** The row, or how sure it is that there was none at the deadline. */
export type PollResult<Row> = { row: Row } | { row: undefined; answeredAtDeadline: boolean }

/**
 * Asks at once, then after 250 ms, 500 ms, 1 s and in steps of 1.5 s, the last time at the deadline.
 * A passing failure only lengthens the wait. It is thrown when no try at all was answered: "could not
 * ask" is not "not scored".
 */
export async function pollVerdict<Row>(
  ask: (remainingMs: number) => Promise<Row | undefined>,
  { timeoutMs, now, sleep }: PollOptions,
): Promise<PollResult<Row>> {
  const deadline = now() + timeoutMs
  let answered = false
  let failures = 0
  for (let turn = 0; ; turn++) {
    let waitMs: number = FIRST_WAITS_MS[turn] ?? LATER_WAIT_MS
    let failure: InklingError | undefined
    try {
      const row = await ask(Math.max(deadline - now(), LAST_TRY_MS))
      if (row !== undefined) return { row }
      answered = true
      failures = 0
    } catch (error) {
      if (!(error instanceof InklingError) || !error.retryable) throw error
      failure = error
      failures++
      waitMs += waitAfter(error, failures)
    }
    const remainingMs = deadline - now()
    if (remainingMs <= 0) {
      if (failure && !answered) throw failure
      return { row: undefined, answeredAtDeadline: failure === undefined }
    }
    await sleep(Math.min(waitMs, remainingMs))
  }
}
