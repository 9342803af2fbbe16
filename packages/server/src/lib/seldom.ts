/**
 * Passes on what is said again and again: the first time at once, then once in a while with how often it was said
 * since, so that an outage under load does not fill the log.
 * @param tell gets what was said last, and how many times it was said since it was told before
 * @param clock monotonic milliseconds
 */
export function seldom<Said>(
  pauseMs: number,
  tell: (said: Said, times: number) => void,
  clock = (): number => performance.now(),
): (said: Said) => void {
  let quietUntilMs = Number.NEGATIVE_INFINITY
  let times = 0
  return (said) => {
    times += 1
    if (clock() < quietUntilMs) return
    quietUntilMs = clock() + pauseMs
    const since = times
    times = 0
    tell(said, since)
  }
}
