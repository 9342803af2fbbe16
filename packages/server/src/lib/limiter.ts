import type { Pool } from 'pg'
import {
  type IRateLimiterOptions,
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
} from 'rate-limiter-flexible'

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
