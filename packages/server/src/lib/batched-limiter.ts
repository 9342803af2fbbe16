import DataLoader from 'dataloader'
import type { Pool } from 'pg'
import { RateLimiterPostgres } from 'rate-limiter-flexible'

/** What the library writes with, and does not declare. */
type Upsert = (
  key: string,
  points: number,
  durationMs: number,
  isBlock: boolean,
) => Promise<{ rows: readonly Count[] }>

interface Count {
  key: string
  points: number
  /** Unix milliseconds. */
  expire: number
}

interface BatchedOptions {
  points: number
  /** Seconds. */
  duration: number
  blockDuration?: number
  keyPrefix: string
  storeClient: Pool
  /** Exists already. */
  tableName: string
}

/** Requests in one statement. */
const REQUESTS_MAX = 128

/**
 * The library's limiter, whose requests of one turn of the event loop are counted by one statement: the journey costs
 * more than the count.
 */
export function batchedLimiter(options: BatchedOptions): RateLimiterPostgres {
  const limiter = new RateLimiterPostgres({ ...options, tableCreated: true }) as RateLimiterPostgres & {
    _upsert: Upsert
  }
  const block = limiter._upsert.bind(limiter)
  const requests = new DataLoader((keys: readonly string[]) => count(options, keys), {
    cache: false,
    maxBatchSize: REQUESTS_MAX,
    batchScheduleFn: (dispatch) => setImmediate(dispatch),
  })
  limiter._upsert = async (key, points, durationMs, isBlock) =>
    isBlock ? block(key, points, durationMs, isBlock) : { rows: [await requests.load(key)] }
  return limiter
}

/** @returns for each request the count right after it */
async function count(
  { storeClient, tableName, duration }: BatchedOptions,
  keys: readonly string[],
): Promise<Count[]> {
  const requests = Map.groupBy(keys, (key) => key)
  // Sorted, so that all nodes lock keys in the same order and cannot deadlock.
  const sorted = [...requests].sort(([a], [b]) => (a < b ? -1 : 1))
  const nowMs = Date.now()
  const { rows } = await storeClient.query<Count>({
    name: `count ${tableName}`,
    text: `insert into ${tableName} as l (key, points, expire)
      select key, points, $3 from unnest($1::text[], $2::bigint[]) as given (key, points)
      on conflict (key) do update set
        points = case when l.expire <= $4 then excluded.points else l.points + excluded.points end,
        expire = case when l.expire <= $4 then excluded.expire else l.expire end
      returning key, points, expire`,
    values: [
      sorted.map(([key]) => key),
      sorted.map(([, { length }]) => length),
      nowMs + duration * 1_000,
      nowMs,
    ],
  })
  const counts = new Map(rows.map((row) => [row.key, row]))
  /** Requests of a key that are still to get their count. */
  const left = new Map([...requests].map(([key, { length }]) => [key, length]))
  return keys.map((key) => {
    const { points = 0, expire = 0 } = counts.get(key) ?? {}
    const after = (left.get(key) ?? 0) - 1
    left.set(key, after)
    return { key, points: points - after, expire }
  })
}
