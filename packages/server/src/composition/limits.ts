import { TEST_SENDS_PER_MINUTE } from '@inkling/contract/account'
import { createLoginThrottle, type LoginThrottle } from '../auth/login-throttle.ts'
import { createAddressLimit } from '../lib/address-limit.ts'
import { createRateLimit, type RateLimit, type RateLimitOptions } from '../lib/limits.ts'
import { throttledLog } from '../lib/log.ts'
import type { Store } from '../store/store.ts'
import { FAILURE_LOG_INTERVAL_MS, type ServerContext } from './config.ts'
import type { Telemetry } from './telemetry.ts'
import { openValkey } from './valkey.ts'

export interface Limits {
  /** Per visitor address. */
  ingest: RateLimit
  /** Per visitor address, for the beacon of pages without JavaScript. */
  beacon: RateLimit
  /** Per visitor address, for the tickets of agents. */
  tickets: RateLimit
  /** Per domain. */
  history: RateLimit
  /** Per client address. */
  management: RateLimit
  /** Per connected assistant. */
  assistants: RateLimit
  /** Per client address, for registrations and tokens of assistants. */
  oauth: RateLimit
  /** Per domain, for what people have sent to its webhook endpoints and receivers of alerts at once. */
  testSends: RateLimit
  login: LoginThrottle
}

/** Not every ticket is used, and a page that finds none would be the worse for it. */
const TICKETS_MULTIPLE = 5

/** More than a model calls tools, and little for the server. */
const ASSISTANT_LIMIT = { points: 120, windowSeconds: 60, blockSeconds: 0 }

/** Enough to set a receiver up, and too few to trouble anybody whose address somebody else names. */
export const TEST_SEND_LIMIT = { points: TEST_SENDS_PER_MINUTE, windowSeconds: 60, blockSeconds: 0 }

/** The rate limits, shared by all nodes of an installation. */
export function openLimits(
  { config, log, opened }: Pick<ServerContext, 'config' | 'log' | 'opened'>,
  { store: { pool }, telemetry }: { store: Pick<Store, 'pool'>; telemetry: Telemetry },
): Limits {
  const failed = throttledLog<unknown>(FAILURE_LOG_INTERVAL_MS, (err, times) =>
    log.warn({ err, times }, 'what nodes share for rate limits does not respond; this node counts alone'),
  )
  const valkey = config.VALKEY_URL === undefined ? undefined : openValkey(config.VALKEY_URL, failed)
  opened.defer(() => valkey?.disconnect())
  function onAlone(error: unknown): void {
    telemetry.metrics.limitedAlone()
    failed(error)
  }
  const limit = (name: string, create: typeof createRateLimit, options: RateLimitOptions): RateLimit =>
    telemetry.metrics.countedLimit(name, create(options, { name, pool, valkey, onAlone }))
  const perMinute = (points: number, blockMinutes: number) => ({
    points,
    windowSeconds: 60,
    blockSeconds: blockMinutes * 60,
  })
  const { INGEST_LIMIT_PER_MINUTE, INGEST_BLOCK_MINUTES } = config
  const { MANAGEMENT_LIMIT_PER_MINUTE, MANAGEMENT_BLOCK_MINUTES } = config
  return {
    beacon: limit('beacon', createAddressLimit, perMinute(Math.ceil(INGEST_LIMIT_PER_MINUTE / 4), 0)),
    // In memory alone: a ticket costs less than a look into a shared table.
    tickets: telemetry.metrics.countedLimit(
      'tickets',
      createAddressLimit(perMinute(TICKETS_MULTIPLE * INGEST_LIMIT_PER_MINUTE, 0), {
        name: 'tickets',
        pool: undefined,
      }),
    ),
    ingest: limit('ingest', createAddressLimit, perMinute(INGEST_LIMIT_PER_MINUTE, INGEST_BLOCK_MINUTES)),
    history: limit('history', createRateLimit, {
      points: config.HISTORY_LIMIT_PER_SECOND,
      windowSeconds: 1,
      blockSeconds: 0,
    }),
    management: limit(
      'management',
      createAddressLimit,
      perMinute(MANAGEMENT_LIMIT_PER_MINUTE, MANAGEMENT_BLOCK_MINUTES),
    ),
    assistants: limit('assistants', createRateLimit, ASSISTANT_LIMIT),
    oauth: limit('oauth', createAddressLimit, ASSISTANT_LIMIT),
    testSends: limit('test_sends', createRateLimit, TEST_SEND_LIMIT),
    // Few, and worth more than a cache that may forget them.
    login: createLoginThrottle(pool),
  }
}
