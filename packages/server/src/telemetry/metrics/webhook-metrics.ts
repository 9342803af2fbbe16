import { Counter, Histogram, type Registry } from 'prom-client'
import { type Attempt, delivered } from '../../deliver/attempt.ts'
import { SECONDS_BUCKETS } from './buckets.ts'

const OUTCOMES = ['accepted', 'refused', 'no_answer'] as const

export function webhookMetrics(registry: Registry) {
  const sends = new Counter({
    name: 'inkling_webhook_sends_total',
    help: 'Sends of events to endpoints, by what came back: a 2xx status, another status, or nothing',
    labelNames: ['outcome'],
    registers: [registry],
  })
  const durations = new Histogram({
    name: 'inkling_webhook_send_seconds',
    help: 'From the start of a send to the answer, or to giving up',
    buckets: SECONDS_BUCKETS,
    registers: [registry],
  })
  for (const outcome of OUTCOMES) sends.inc({ outcome }, 0)

  return {
    webhookSent(attempt: Attempt): void {
      sends.inc({ outcome: outcomeOf(attempt) })
      durations.observe(attempt.durationMs / 1_000)
    },
  }
}

function outcomeOf(attempt: Attempt): (typeof OUTCOMES)[number] {
  if (delivered(attempt)) return 'accepted'
  return attempt.status === undefined ? 'no_answer' : 'refused'
}
