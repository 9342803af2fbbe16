import type { Feed } from './feed.ts'
import type { UpdateOutcome } from './update-feed.ts'

const RETRY_MS = 15 * 60_000

/** Attempts of this process that failed one after another. */
export interface Failures {
  count: number
  /** When the last one ended. */
  at: number
  result: Exclude<UpdateOutcome['result'], 'updated'>
  reason: string
}

/**
 * When a feed is due. An unreachable source is asked again soon and then ever more seldom; one that sent
 * something wrong has had its turn, and its next list comes a period later. Another process may have done better since.
 */
export function nextAttemptAt(
  { cadenceMs }: Feed,
  updatedAt: number | undefined,
  failures: Failures | undefined,
  /** Part of the period, so that installations do not all ask at the same time. */
  share: number,
): number {
  if (!failures || (updatedAt ?? 0) > failures.at)
    return updatedAt === undefined ? 0 : updatedAt + cadenceMs * share
  const retryMs = failures.result === 'rejected' ? cadenceMs : RETRY_MS * 2 ** (failures.count - 1)
  return failures.at + Math.min(cadenceMs, retryMs) * share
}
