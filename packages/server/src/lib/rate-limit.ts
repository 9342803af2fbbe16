import type { Pool } from 'pg'
import {
  type IRateLimiterOptions,
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
} from 'rate-limiter-flexible'

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

/** Where nodes that share a database count together. */
const TABLE = 'limits'

export interface LimiterPlace {
  /** Tells the limits of one installation apart. */
  name: string
  /** Undefined where one process is all there is. */
  pool: Pool | undefined
}

/** Counts by key: in memory, or in the database that nodes share. While that does not answer each node counts alone. */
export function createLimiter(
  options: IRateLimiterOptions,
  { name, pool }: LimiterPlace,
): Pick<RateLimiterAbstract, 'consume' | 'delete'> {
  const alone = new RateLimiterMemory(options)
  if (!pool) return alone
  return new RateLimiterPostgres({
    ...options,
    keyPrefix: name,
    storeClient: pool,
    tableName: TABLE,
    tableCreated: true,
    insuranceLimiter: alone,
  })
}
