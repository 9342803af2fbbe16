/** So much faster than time it may run to catch up with the wall clock, after a leap that was right. */
const CATCH_UP = 2

/**
 * The wall clock without its leaps ahead, for what is over once and for all when its time has come. It is never ahead
 * of the wall clock; after a leap it comes nearer at its own pace.
 * @param now wall clock, Unix milliseconds
 * @param monotonicMs milliseconds of a clock that nobody sets
 */
export function createSlewedClock(
  now: () => number,
  monotonicMs = (): number => performance.now(),
): () => number {
  let patientMs = now()
  let seenMs = monotonicMs()
  return () => {
    const nowMs = monotonicMs()
    patientMs = Math.min(now(), patientMs + (nowMs - seenMs) * CATCH_UP)
    seenMs = nowMs
    return patientMs
  }
}
