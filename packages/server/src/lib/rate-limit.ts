import { RateLimiterRes } from 'rate-limiter-flexible'
import { createLimiter, type LimiterPlace } from './limiter.ts'

/** `exceeded` is said once, to the request that goes over; `blocked` to all that follow until the end. */
export type Permission = 'allowed' | 'exceeded' | 'blocked'

export interface RateLimit {
  /** Counts one request of `key`. */
  take(key: string): Promise<Permission>
}

export interface RateLimitOptions {
  /** Requests allowed in one window, which starts with the first of them. */
  points: number
  windowSeconds: number
  /** How long the request over the limit blocks the key; 0 only refuses until the window ends. */
  blockSeconds: number
}

/** Requests during a block do not extend it. */
export function createRateLimit(
  { points, windowSeconds, blockSeconds }: RateLimitOptions,
  place: LimiterPlace,
): RateLimit {
  const limiter = createLimiter({ points, duration: windowSeconds, blockDuration: blockSeconds }, place)
  return {
    async take(key) {
      try {
        await limiter.consume(key)
        return 'allowed'
      } catch (refused) {
        if (!(refused instanceof RateLimiterRes)) throw refused
        return refused.consumedPoints === points + 1 ? 'exceeded' : 'blocked'
      }
    },
  }
}
