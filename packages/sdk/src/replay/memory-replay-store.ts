import type { ReplayStore } from './replay-store.ts'

/** Often enough that memory follows the traffic, seldom enough to cost nothing. */
const SWEEP_MS = 60_000

/** For one process. It forgets when the process ends: what was used before a restart can be used again. */
export function memoryReplayStore({ now = Date.now }: { now?: () => number } = {}): ReplayStore {
  const expiries = new Map<string, number>()
  let sweepAt = now() + SWEEP_MS

  function sweep(at: number): void {
    if (at < sweepAt) return
    sweepAt = at + SWEEP_MS
    for (const [key, expiresAt] of expiries) if (expiresAt <= at) expiries.delete(key)
  }

  return {
    async claim(key, ttlMs) {
      const at = now()
      sweep(at)
      if ((expiries.get(key) ?? 0) > at) return false
      expiries.set(key, at + ttlMs)
      return true
    },
    async release(key) {
      expiries.delete(key)
    },
  }
}
