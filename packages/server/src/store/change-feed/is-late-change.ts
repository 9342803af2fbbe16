import { MINUTE_MS } from '../../lib/durations.ts'

/** Apart from the queries of `late-changes.ts`, because the writer's thread starts without the query builder. */

/** The change feed passes no identification that is younger than this. */
export const SETTLED_MS = 1.5 * MINUTE_MS
/** Less than that by more than the clocks of nodes differ. */
const LATE_MS = MINUTE_MS

/** A condition in SQL: without a feed nothing is noted. */
export const FEED_IS_ON = 'exists (select 1 from change_feed where written_at is not null)'

/**
 * Whether the change feed may have passed an identification that changes now, so that the change has to be noted. Late
 * evidence comes within seconds: what is noted is nearly always a re-scoring. To be asked inside the transaction of the
 * change, which the feed waits for.
 */
export const isLateChange = (createdAtMs: number, nowMs: number): boolean =>
  Math.abs(nowMs - createdAtMs) > LATE_MS
