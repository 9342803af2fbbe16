/**
 * Remembers for a while which keys were used. All processes that decide must share one store: with a store
 * each, an identification could be used once in every process.
 */
export interface ReplayStore {
  /** True for exactly one of any number of callers, until `ttlMs` milliseconds have passed. */
  claim(key: string, ttlMs: number): Promise<boolean>
  /** Frees a key whose use failed. */
  release(key: string): Promise<void>
}

const SWEEP_INTERVAL_MS = 60_000

/**
 * A store for one process. It forgets everything when the process ends.
 * @param max most keys that it remembers; further ones count as used until others expire. Default: no limit
 */
export function memoryReplayStore({
  now = Date.now,
  max = Number.POSITIVE_INFINITY,
}: {
  now?: () => number
  max?: number
} = {}): ReplayStore {
  const expiries = new Map<string, number>()
  let sweepAt = now() + SWEEP_INTERVAL_MS

  function sweep(at: number): void {
    if (at < sweepAt && expiries.size < max) return
    sweepAt = at + SWEEP_INTERVAL_MS
    for (const [key, expiresAt] of expiries) if (expiresAt <= at) expiries.delete(key)
  }

  return {
    async claim(key, ttlMs) {
      const at = now()
      sweep(at)
      if ((expiries.get(key) ?? 0) > at || expiries.size >= max) return false
      expiries.set(key, at + ttlMs)
      return true
    },
    async release(key) {
      expiries.delete(key)
    },
  }
}
