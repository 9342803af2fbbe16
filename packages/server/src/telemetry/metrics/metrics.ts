import { Registry } from 'prom-client'
import { commitMetrics } from './commit-metrics.ts'
import { ingestMetrics } from './ingest-metrics.ts'
import { jobMetrics } from './job-metrics.ts'
import { limitMetrics } from './limit-metrics.ts'
import { requestMetrics } from './request-metrics.ts'
import { turnMetrics } from './turn-metrics.ts'
import { webhookMetrics } from './webhook-metrics.ts'

/** What one server counts: a registry of its own, and plain functions that note what happened. */
export type Metrics = ReturnType<typeof createMetrics>

export function createMetrics() {
  const registry = new Registry()
  return {
    registry,
    ...ingestMetrics(registry),
    ...requestMetrics(registry),
    ...limitMetrics(registry),
    ...commitMetrics(registry),
    ...webhookMetrics(registry),
    ...turnMetrics(registry),
    ...jobMetrics(registry),
  }
}
