import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { type Attempt, delivered } from '../deliver/attempt.ts'
import { COLD_OPERATIONS, type ColdOperation } from '../store/cold/object-storage.ts'
import type { CommittedBatch } from '../store/group-commit.ts'
import type { Store } from '../store/store.ts'
import { SECONDS_BUCKETS } from './traffic-metrics.ts'

const SIZE_BUCKETS = [1, 2, 4, 8, 16, 32, 64, 128]

export function commitMetrics(registry: Registry) {
  const registers = [registry]
  const waits = new Histogram({
    name: 'inkling_commit_seconds',
    help: 'Time from handing an operation to the database until it is on disk',
    labelNames: ['operation'],
    buckets: SECONDS_BUCKETS,
    registers,
  })
  const waiting = new Gauge({
    name: 'inkling_commit_waiting',
    help: 'Operations handed to the database that are not on disk yet',
    registers,
  })
  const failures = new Counter({
    name: 'inkling_commit_failures_total',
    help: 'Operations that the database failed to store',
    registers,
  })
  const sizes = new Histogram({
    name: 'inkling_commit_batch_operations',
    help: 'Operations per transaction',
    buckets: SIZE_BUCKETS,
    registers,
  })
  const batches = new Histogram({
    name: 'inkling_commit_batch_seconds',
    help: 'Time the database took to write a transaction',
    buckets: SECONDS_BUCKETS,
    registers,
  })

  return {
    batchCommitted({ operations, durationMs }: CommittedBatch): void {
      sizes.observe(operations)
      batches.observe(durationMs / 1_000)
    },

    /** The same function, measured. */
    watchedCommit:
      (commit: Store['commit']): Store['commit'] =>
      async (operation) => {
        const end = waits.startTimer({ operation: operation.type })
        waiting.inc()
        try {
          const outcome = await commit(operation)
          if (outcome.type === 'failed') failures.inc()
          return outcome
        } catch (error) {
          failures.inc()
          throw error
        } finally {
          waiting.dec()
          end()
        }
      },
  }
}

const SEND_OUTCOMES = ['accepted', 'refused', 'no_answer'] as const

export function webhookMetrics(registry: Registry) {
  const sends = new Counter({
    name: 'inkling_webhook_sends_total',
    help: 'Webhook requests by response: accepted (2xx), refused (another status) or no_answer',
    labelNames: ['outcome'],
    registers: [registry],
  })
  const durations = new Histogram({
    name: 'inkling_webhook_send_seconds',
    help: 'Time from the start of a webhook request to its response or timeout',
    buckets: SECONDS_BUCKETS,
    registers: [registry],
  })
  for (const outcome of SEND_OUTCOMES) sends.inc({ outcome }, 0)

  return {
    webhookSent(attempt: Attempt): void {
      sends.inc({ outcome: outcomeOf(attempt) })
      durations.observe(attempt.durationMs / 1_000)
    },
  }
}

function outcomeOf(attempt: Attempt): (typeof SEND_OUTCOMES)[number] {
  if (delivered(attempt)) return 'accepted'
  return attempt.status === undefined ? 'no_answer' : 'refused'
}

export function jobMetrics(registry: Registry) {
  const runs = new Counter({
    name: 'inkling_job_runs_total',
    help: 'Runs of a background job, by outcome',
    labelNames: ['job', 'outcome'],
    registers: [registry],
  })
  const duration = new Gauge({
    name: 'inkling_job_last_run_seconds',
    help: 'Duration of the last run of a job',
    labelNames: ['job'],
    registers: [registry],
  })
  const endedAt = new Gauge({
    name: 'inkling_job_last_success_timestamp_seconds',
    help: 'Unix time of the last successful run of a job',
    labelNames: ['job'],
    registers: [registry],
  })

  return {
    /** The same job, with its runs counted. */
    watchedJob(job: string, task: () => Promise<unknown>): () => Promise<unknown> {
      runs.inc({ job, outcome: 'done' }, 0)
      runs.inc({ job, outcome: 'failed' }, 0)
      return async () => {
        const end = duration.startTimer({ job })
        try {
          const result = await task()
          runs.inc({ job, outcome: 'done' })
          endedAt.setToCurrentTime({ job })
          return result
        } catch (error) {
          runs.inc({ job, outcome: 'failed' })
          throw error
        } finally {
          end()
        }
      }
    },
  }
}

export function coldStorageMetrics(registry: Registry) {
  const requests = new Counter({
    name: 'inkling_cold_storage_requests_total',
    help: 'Requests to the cold storage, by operation and outcome',
    labelNames: ['operation', 'outcome'],
    registers: [registry],
  })
  for (const operation of COLD_OPERATIONS)
    for (const outcome of ['done', 'failed']) requests.inc({ operation, outcome }, 0)

  return {
    coldStorageAsked(operation: ColdOperation, succeeded: boolean): void {
      requests.inc({ operation, outcome: succeeded ? 'done' : 'failed' })
    },
  }
}
