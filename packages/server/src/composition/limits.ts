import { createLoginThrottle, type LoginThrottle } from '../auth/login-throttle.ts'
import { createRateLimit, type RateLimit } from '../lib/limits.ts'
import type { Store } from '../store/store.ts'
import type { ServerContext } from './config.ts'
import type { Telemetry } from './telemetry.ts'

export interface Limits {
  /** Per visitor address. */
  ingest: RateLimit
  /** Per domain. */
  history: RateLimit
  /** Per client address. */
  management: RateLimit
  login: LoginThrottle
}

/** The rate limits, shared by all nodes of an installation. */
export function openLimits(
  { config }: Pick<ServerContext, 'config'>,
  { store: { pool }, telemetry }: { store: Pick<Store, 'pool'>; telemetry: Telemetry },
): Limits {
  const limit = (name: string, points: number, windowSeconds: number, blockMinutes: number): RateLimit =>
    telemetry.metrics.countedLimit(
      name,
      createRateLimit({ points, windowSeconds, blockSeconds: blockMinutes * 60 }, { name, pool }),
    )
  return {
    ingest: limit('ingest', config.INGEST_LIMIT_PER_MINUTE, 60, config.INGEST_BLOCK_MINUTES),
    history: limit('history', config.HISTORY_LIMIT_PER_SECOND, 1, 0),
    management: limit('management', config.MANAGEMENT_LIMIT_PER_MINUTE, 60, config.MANAGEMENT_BLOCK_MINUTES),
    login: createLoginThrottle(pool),
  }
}
