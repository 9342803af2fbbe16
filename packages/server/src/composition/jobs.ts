import { runPatterns } from '../jobs/patterns/run-patterns.ts'
import { countIdentifications } from '../jobs/rollups/count-identifications.ts'
import { every } from '../lib/every.ts'
import { createPatientClock } from '../lib/patient-clock.ts'
import { removeOlder } from '../store/retention.ts'
import type { JobName, Store } from '../store/store.ts'
import type { Metrics } from '../telemetry/metrics/metrics.ts'
import type { Config } from './config.ts'
import type { OpenRunningState } from './open-running-state.ts'

/** Far more often than the ten minutes that are promised, so that each run is short. */
const PATTERNS_MS = 60_000
/** Until then the overview counts the newest identifications one by one. */
const COUNT_MS = 5_000
/** After the follow-up window, late evidence may refine a row for a minute; and the name of a crawler takes seconds. */
const REFINED_WITHIN_MS = 75_000
const DAY_MS = 86_400_000
/** Once an hour is enough for something counted in days. */
const RETENTION_MS = 3_600_000

interface JobDeps {
  config: Config
  store: Store
  running: Pick<OpenRunningState, 'retentionRan'>
  /** The same job, whose runs are counted. */
  watched: Metrics['watchedJob']
  now(): number
  warn(message: string, error: unknown): void
}

export interface Jobs {
  /** Ends each run at its next step, and waits for that. */
  stop(): Promise<void>
}

/** What looks over stored identifications again and again: counts, patterns, and what is to be removed. */
export function startJobs({ config, store, running, watched, now, warn }: JobDeps): Jobs {
  let stopping = false
  const stopped = (): boolean => stopping
  const settledAfterMs = config.FOLLOW_UP_SECONDS * 1_000 + REFINED_WITHIN_MS
  const repeat = (job: JobName, pauseMs: number, task: () => Promise<unknown>, failure: string) =>
    every(
      pauseMs,
      () => store.alone(job, watched(job, task)),
      (error) => warn(failure, error),
    )

  // A clock that leaps a year ahead must not remove a year.
  const patientNow = createPatientClock(now)
  async function removeOld(): Promise<void> {
    const removed = await removeOlder(store, patientNow() - config.RETENTION_DAYS * DAY_MS, stopped)
    running.retentionRan({ endedAtMs: now(), removed })
  }

  const repeating = [
    repeat(
      'rollups',
      COUNT_MS,
      () => countIdentifications(store, { settledAfterMs, now, stopped }),
      'identifications could not be counted',
    ),
    repeat(
      'patterns',
      PATTERNS_MS,
      () => runPatterns(store, { settledAfterMs, now, stopped }),
      'patterns could not be looked for',
    ),
    ...(config.RETENTION_DAYS > 0
      ? [repeat('retention', RETENTION_MS, removeOld, 'old identifications could not be removed')]
      : []),
  ]
  return {
    async stop() {
      stopping = true
      await Promise.all(repeating.map((job) => job.stop()))
    },
  }
}
