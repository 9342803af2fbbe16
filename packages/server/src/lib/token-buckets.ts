import { growingCache } from './growing-cache.ts'

interface TokenBucketOptions {
  burst: number
  perSecond: number
  monotonicMs(): number
}

/** About 10 MB. A key that is evicted starts with a full bucket. */
const KEYS_MAX = 50_000

interface Bucket {
  left: number
  atMs: number
}

/**
 * A token bucket for each key; returns whether the key may have one more. Written by hand because every packet passes
 * it and anyone can send from a million addresses: `rate-limiter-flexible` takes a promise and a timer per key.
 */
export function createTokenBuckets({
  burst,
  perSecond,
  monotonicMs,
}: TokenBucketOptions): (key: string) => boolean {
  const buckets = growingCache<string, Bucket>(KEYS_MAX)
  return (key) => {
    const atMs = monotonicMs()
    const bucket = buckets.get(key) ?? { left: burst, atMs }
    const left = Math.min(burst, bucket.left + ((atMs - bucket.atMs) * perSecond) / 1_000)
    const allowed = left >= 1
    buckets.set(key, { left: allowed ? left - 1 : left, atMs })
    return allowed
  }
}
