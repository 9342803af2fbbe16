import { Counter, Histogram, type Registry } from 'prom-client'
import type { IngestOutcome } from '../../ingest/ingest-deps.ts'
import { SECONDS_BUCKETS } from './buckets.ts'

const OUTCOMES: readonly IngestOutcome[] = [
  'stored',
  'duplicate',
  'over_limit',
  'invalid_request',
  'unauthorized',
  'too_large',
  'busy',
  'failed',
]

export function ingestMetrics(registry: Registry) {
  const identifications = new Counter({
    name: 'inkling_identifications_total',
    help: 'Identifications that were sent here, by what became of them',
    labelNames: ['outcome'],
    registers: [registry],
  })
  const acknowledgment = new Histogram({
    name: 'inkling_acknowledgment_seconds',
    help: 'From the request of a stored identification to its acknowledgment',
    buckets: SECONDS_BUCKETS,
    registers: [registry],
  })
  for (const outcome of OUTCOMES) identifications.inc({ outcome }, 0)

  return {
    ingestEnded(outcome: IngestOutcome, elapsedMs: number): void {
      identifications.inc({ outcome })
      if (outcome === 'stored') acknowledgment.observe(elapsedMs / 1_000)
    },
  }
}
