/** How much faster than real time it runs to catch up after a jump of the wall clock. */
const CATCH_UP = 2

/**
 * A wall clock that slews instead of jumping ahead, as NTP clients do (https://www.rfc-editor.org/rfc/rfc5905), for
 * deadlines that cannot be undone. It is never ahead of the wall clock.
 * @param now wall clock, Unix milliseconds
 * @param monotonicMs milliseconds of a monotonic clock
 */
export function createSlewedClock(
  now: () => number,
  monotonicMs = (): number => performance.now(),
): () => number {
  let slewedMs = now()
  let seenMs = monotonicMs()
  return () => {
    const nowMs = monotonicMs()
    slewedMs = Math.min(now(), slewedMs + (nowMs - seenMs) * CATCH_UP)
    seenMs = nowMs
    // Whole, as PostgreSQL wants the times that it compares.
    return Math.floor(slewedMs)
  }
}
