import { AppError } from '../lib/errors.ts'
import { withOutageError } from './outages.ts'
import type { WriteOutcome } from './store.ts'

/** Each pause is twice as long as the one before. */
const PAUSE_FIRST_MS = 250
const PAUSE_MAX_MS = 5_000
/**
 * A database that restarts or fails over takes less. Jobs count a visit once its row can no longer change, so a later
 * version must not come much later than late evidence could (`REFINED_WITHIN_MS` in `composition/config.ts`).
 */
export const OUTAGE_RETRIES_MS = 45_000

export interface OutageRetries {
  /**
   * Runs work, and again after a pause where the database was not available.
   * @param isWanted asked before each pause
   * @throws what the last run threw
   */
  run<Result>(work: () => Promise<Result>, isWanted: () => boolean): Promise<Result>
  /** Ends every pause: what waits is run once more and not again. */
  stop(): void
}

/** Repeats what nobody else would: a client repeats its snapshot, but the server alone knows of evidence. */
export function createOutageRetries(
  /** Resolves after this time, or at once when the signal says so. */
  pause: (ms: number, signal: AbortSignal) => Promise<unknown>,
  monotonicMs = (): number => performance.now(),
): OutageRetries {
  const stopping = new AbortController()

  async function run<Result>(work: () => Promise<Result>, isWanted: () => boolean): Promise<Result> {
    const startedMs = monotonicMs()
    for (let pauseMs = PAUSE_FIRST_MS; ; pauseMs = Math.min(2 * pauseMs, PAUSE_MAX_MS)) {
      try {
        return await withOutageError(work)
      } catch (error) {
        const isLate = monotonicMs() - startedMs + pauseMs > OUTAGE_RETRIES_MS
        if (!isUnavailable(error) || isLate || stopping.signal.aborted || !isWanted()) throw error
      }
      await pause(pauseMs, stopping.signal)
    }
  }

  return { run, stop: () => stopping.abort() }
}

const isUnavailable = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'INK_DATABASE_UNAVAILABLE'

/** The error of a write that failed; in an outage, one that is worth another try. */
export function writeFailure({ message, outage }: Extract<WriteOutcome, { type: 'failed' }>): Error {
  const cause = new Error(`an identification could not be stored: ${message}`)
  return outage ? new AppError('INK_DATABASE_UNAVAILABLE', 'server is busy', { cause }) : cause
}
