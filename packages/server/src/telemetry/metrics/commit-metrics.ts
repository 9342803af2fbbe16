import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { CommittedBatch } from '../../store/group-commit.ts'
import type { Store } from '../../store/store.ts'
import { SECONDS_BUCKETS } from './buckets.ts'

const SIZE_BUCKETS = [1, 2, 4, 8, 16, 32, 64, 128]

export function commitMetrics(registry: Registry) {
  const registers = [registry]
  const waits = new Histogram({
    name: 'inkling_commit_seconds',
    help: 'From the moment an operation is handed to the database to the moment it is on disk',
    labelNames: ['operation'],
    buckets: SECONDS_BUCKETS,
    registers,
  })
  const waiting = new Gauge({
    name: 'inkling_commit_waiting',
    help: 'Operations handed to the database and not on disk yet',
    registers,
  })
  const failures = new Counter({
    name: 'inkling_commit_failures_total',
    help: 'Operations that the database did not take',
    registers,
  })
  const sizes = new Histogram({
    name: 'inkling_commit_batch_operations',
    help: 'Operations that shared one transaction',
    buckets: SIZE_BUCKETS,
    registers,
  })
  const batches = new Histogram({
    name: 'inkling_commit_batch_seconds',
    help: 'How long the database wrote one transaction',
    buckets: SECONDS_BUCKETS,
    registers,
  })

  return {
    batchCommitted({ operations, durationMs }: CommittedBatch): void {
      sizes.observe(operations)
      batches.observe(durationMs / 1_000)
    },

    /** The same way to commit, watched. */
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
