import { Counter, Gauge, type Registry } from 'prom-client'

export function jobMetrics(registry: Registry) {
  const runs = new Counter({
    name: 'inkling_job_runs_total',
    help: 'Runs of a job in the background, by outcome',
    labelNames: ['job', 'outcome'],
    registers: [registry],
  })
  const duration = new Gauge({
    name: 'inkling_job_last_run_seconds',
    help: 'How long the last run of a job took',
    labelNames: ['job'],
    registers: [registry],
  })
  const endedAt = new Gauge({
    name: 'inkling_job_last_success_timestamp_seconds',
    help: 'When a job last ended well, Unix time',
    labelNames: ['job'],
    registers: [registry],
  })

  return {
    /** The same job, whose runs are counted. */
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
