import type { Pool } from 'pg'
import { createLoginThrottle } from '../account/session/login-throttle.ts'
import { createRateLimit } from '../lib/rate-limit.ts'
import type { Config } from './config.ts'

/** How often somebody may ask, on all nodes together. */
export const openLimits = (config: Config, pool: Pool | undefined) => ({
  ingest: createRateLimit(
    {
      points: config.INGEST_LIMIT_PER_MINUTE,
      windowSeconds: 60,
      blockSeconds: config.INGEST_BLOCK_MINUTES * 60,
    },
    { name: 'ingest', pool },
  ),
  history: createRateLimit(
    { points: config.HISTORY_LIMIT_PER_SECOND, windowSeconds: 1, blockSeconds: 0 },
    { name: 'history', pool },
  ),
  management: createRateLimit(
    {
      points: config.MANAGEMENT_LIMIT_PER_MINUTE,
      windowSeconds: 60,
      blockSeconds: config.MANAGEMENT_BLOCK_MINUTES * 60,
    },
    { name: 'management', pool },
  ),
  login: createLoginThrottle(pool),
})
