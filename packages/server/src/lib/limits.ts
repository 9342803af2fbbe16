import type { Pool } from 'pg'
import {
  type IRateLimiterOptions,
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
} from 'rate-limiter-flexible'
import { AppError } from './errors.ts'

/** `exceeded` for the first request over the limit, `blocked` for all further ones until the window or block ends. */
export type Permission = 'allowed' | 'exceeded' | 'blocked'

export interface RateLimit {
  /** Counts one request of `key`. */
  take(key: string): Promise<Permission>
}

export interface RateLimitOptions {
  /** Requests allowed in one window, which starts with the first of them. */
  points: number
  windowSeconds: number
  /** How long a key over the limit is blocked; 0: until the window ends. */
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

/** The table in which nodes with a common database count together. */
const TABLE = 'limits'

export interface LimiterPlace {
  /** Distinguishes the limits of one installation. */
  name: string
  /** Undefined with the embedded database, which has one process. */
  pool: Pool | undefined
}

/** Counts by key: in memory, or in the shared database. While that is down, each node counts alone. */
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

export interface ConcurrencyLimit {
  /** @throws AppError `INK_SERVER_BUSY` at the limit */
  refuseWhenFull(): void
  /** @throws AppError `INK_SERVER_BUSY` at the limit, without starting the work */
  run<Result>(work: () => Promise<Result>): Promise<Result>
}

/** Limits how many tasks run at once. There is no queue: a rejected client tries again. */
export function createConcurrencyLimit(max: number): ConcurrencyLimit {
  let running = 0

  function refuseWhenFull(): void {
    if (running >= max) throw new AppError('INK_SERVER_BUSY')
  }

  return {
    refuseWhenFull,
    async run(work) {
      refuseWhenFull()
      running += 1
      try {
        return await work()
      } finally {
        running -= 1
      }
    },
  }
}
