import type { Redis } from 'iovalkey'
import type { Pool } from 'pg'
import {
  type IRateLimiterOptions,
  type RateLimiterAbstract,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible'
import { batchedLimiter } from './batched-limiter.ts'
import { AppError } from './errors.ts'
import { growingCache } from './growing-cache.ts'

/** `exceeded` for the first request over the limit, `blocked` for all further ones until the window or block ends. */
export type Permission = 'allowed' | 'exceeded' | 'blocked'

export interface RateLimit {
  /** Counts one request of `key`. */
  take(key: string): Promise<Permission>
  /** How long a refused `key` has to wait, at least a second. */
  waitSeconds(key: string): Promise<number>
}

/** @throws AppError `INK_RATE_LIMITED`, with the time to wait, unless the request of `key` is allowed */
export async function takeOne({ take, waitSeconds }: RateLimit, key: string): Promise<void> {
  if ((await take(key)) === 'allowed') return
  throw new AppError('INK_RATE_LIMITED', undefined, { retryAfterSeconds: await waitSeconds(key) })
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
    async waitSeconds(key) {
      // The answer is known without asking the database.
      if (Math.max(windowSeconds, blockSeconds) === 1) return 1
      return secondsToWait((await limiter.get(key))?.msBeforeNext ?? 0)
    },
  }
}

/** Rounded up: a client that comes a moment early is refused again. */
export const secondsToWait = (ms: number): number => Math.max(1, Math.ceil(ms / 1_000))

export interface LimiterPlace {
  /** Distinguishes the limits of one installation. */
  name: string
  /** Undefined with the embedded database, which has one process. */
  pool: Pool | undefined
  /** Counts in place of the database. */
  valkey?: Redis | undefined
  /** Called when what nodes share does not respond, so that this process counts alone. */
  onAlone?: ((error: unknown) => void) | undefined
  /** How many keys this process counts at once; the shared table may have ten times as many. */
  keysMax?: number
}

type Limiter = Pick<RateLimiterAbstract, 'consume' | 'delete' | 'get'>
type LimiterOptions = Required<Pick<IRateLimiterOptions, 'points' | 'duration'>> & { blockDuration?: number }

/** About 20 MB. Whoever has a million addresses must not fill the memory with them. */
const KEYS_MAX = 100_000
const SHARED_MULTIPLE = 10
/** A timer that is longer fires at once. */
const TIMER_MS_MAX = 2 ** 31 - 1

/**
 * Counts by key: in memory, or where nodes share it, in Valkey or the database. While that is down, or the table holds too
 * many keys, each node counts alone.
 */
export function createLimiter(options: LimiterOptions, place: LimiterPlace): Limiter {
  const { pool, valkey, onAlone = () => {}, keysMax = KEYS_MAX } = place
  const alone = createMemoryLimiter(options, keysMax)
  const shared = sharedLimiter(options, place)
  if (!shared) return alone
  // Valkey has a limit of its own for what it holds.
  const isFull = pool && !valkey ? sharedTableWatch(pool, keysMax * SHARED_MULTIPLE) : () => false
  return {
    async consume(key) {
      if (isFull()) return alone.consume(key)
      try {
        return await shared.consume(key)
      } catch (refused) {
        if (refused instanceof RateLimiterRes) throw refused
        onAlone(refused)
        return alone.consume(key)
      }
    },
    get: (key) => (isFull() ? alone.get(key) : shared.get(key).catch(() => alone.get(key))),
    async delete(key) {
      const deleted = await alone.delete(key)
      return shared.delete(key).catch(() => deleted)
    },
  }
}

function sharedLimiter(options: LimiterOptions, { name, pool, valkey }: LimiterPlace): Limiter | undefined {
  if (valkey)
    return new RateLimiterRedis({
      ...options,
      keyPrefix: `inkling ${name}`,
      storeClient: valkey,
      rejectIfRedisNotReady: true,
    })
  return (
    pool &&
    batchedLimiter({
      ...options,
      keyPrefix: name,
      storeClient: pool,
      tableName: TABLE,
    })
  )
}

interface Count {
  consumed: number
  /** Unix milliseconds at which the window or block ends; only the timer decides, as the clock may jump. */
  untilMs: number
  timer: NodeJS.Timeout
}

/** Counts at most `keysMax` keys. One that is forgotten, the least recent, starts anew. */
function createMemoryLimiter(
  { points, duration, blockDuration = 0 }: LimiterOptions,
  keysMax: number,
): Limiter {
  const counts = growingCache<string | number, Count>(keysMax, {
    dispose: ({ timer }) => clearTimeout(timer),
  })

  const ending = (key: string | number, seconds: number): Pick<Count, 'untilMs' | 'timer'> => ({
    untilMs: Date.now() + seconds * 1_000,
    timer: setTimeout(() => counts.delete(key), Math.min(seconds * 1_000, TIMER_MS_MAX)).unref(),
  })

  function begin(key: string | number): Count {
    const count = { consumed: 0, ...ending(key, duration) }
    counts.set(key, count)
    return count
  }

  const resultOf = ({ consumed, untilMs }: Count): RateLimiterRes =>
    new RateLimiterRes(
      Math.max(0, points - consumed),
      Math.max(0, untilMs - Date.now()),
      consumed,
      consumed === 1,
    )

  return {
    consume(key) {
      const count = counts.get(key) ?? begin(key)
      count.consumed += 1
      // Only the first request over the limit starts the block.
      if (count.consumed === points + 1 && blockDuration > 0) {
        clearTimeout(count.timer)
        Object.assign(count, ending(key, blockDuration))
      }
      const result = resultOf(count)
      return count.consumed > points ? Promise.reject(result) : Promise.resolve(result)
    },
    get(key) {
      const count = counts.get(key)
      return Promise.resolve(count ? resultOf(count) : null)
    },
    delete: (key) => Promise.resolve(counts.delete(key)),
  }
}

/** The table in which nodes with a common database count together. */
const TABLE = 'limits'
const WATCH_INTERVAL_MS = 10_000

/** Whether the shared table has too many keys, as of some seconds ago. Expired ones are removed by its limiters. */
function sharedTableWatch(pool: Pool, keysMax: number): () => boolean {
  let isFull = false
  let askedMs = 0

  async function ask(): Promise<void> {
    const { rows } = await pool.query<{ keys: number }>(
      `select count(*) as keys from (select 1 from ${TABLE} limit ${keysMax + 1}) as counted`,
    )
    isFull = (rows[0]?.keys ?? 0) > keysMax
    if (isFull) await pool.query(`delete from ${TABLE} where expire < $1`, [Date.now()])
  }

  return () => {
    const nowMs = Date.now()
    if (Math.abs(nowMs - askedMs) >= WATCH_INTERVAL_MS) {
      askedMs = nowMs
      // A database that does not answer is noticed by the requests themselves.
      void ask().catch(() => {})
    }
    return isFull
  }
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
