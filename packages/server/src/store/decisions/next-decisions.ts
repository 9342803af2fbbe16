import { ASKED_MS, CLOCK_SKEW_MS, newestNumber } from '../identifications/id-range.ts'
import type { Store } from '../store.ts'

/**
 * On PostgreSQL a decision with a lower number may be committed after one with a higher number. So decisions are read
 * again until they are this old, or made by a clock that was ahead; those that are known are passed over.
 */
const SETTLED_MS = 30_000
/** The embedded database gives the number of a newest decision that was erased to the next one. So some are read again. */
const REUSED_MAX = 100

/** Where a job that goes through decisions goes on. */
export interface NextDecisions {
  after: number
  /** Up to here they have settled. */
  settled: number
  /** Moves on with each page that was read. */
  settle(decisions: readonly { id: number; decided_at: number }[]): void
}

/**
 * @param began where the last run ended
 * @returns undefined if there can be none
 */
export async function nextDecisions(
  { engine, jobReads, areCommitsEnded }: Pick<Store, 'engine' | 'jobReads' | 'areCommitsEnded'>,
  began: number,
  nowMs: number,
): Promise<NextDecisions | undefined> {
  const newest = await newestNumber(jobReads, 'decisions')
  const isSqlite = engine === 'sqlite'
  if (!isSqlite && newest <= began) return undefined
  // Asked before they are read. Until then all of them are read again.
  let isSettled = await areCommitsEnded(ASKED_MS)
  const next: NextDecisions = {
    after: isSqlite ? Math.max(0, Math.min(began, newest) - REUSED_MAX) : began,
    settled: Math.min(began, newest),
    settle(decisions) {
      for (const { id, decided_at } of decisions) {
        isSettled &&= decided_at < nowMs - SETTLED_MS || decided_at > nowMs + CLOCK_SKEW_MS
        if (isSettled) next.settled = Math.max(next.settled, id)
      }
    },
  }
  return next
}
