import { Registry } from 'prom-client'
import { peopleMetrics } from './people-metrics.ts'
import {
  ingestMetrics,
  limitMetrics,
  nodeMetrics,
  requestMetrics,
  shareMetrics,
  turnMetrics,
} from './traffic-metrics.ts'
import { coldStorageMetrics, commitMetrics, jobMetrics, webhookMetrics } from './work-metrics.ts'

/** The metrics of one server: a registry, and functions that record events in it. */
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
    ...shareMetrics(registry),
    ...turnMetrics(registry),
    ...nodeMetrics(registry),
    ...jobMetrics(registry),
    ...coldStorageMetrics(registry),
    ...peopleMetrics(registry),
  }
}
