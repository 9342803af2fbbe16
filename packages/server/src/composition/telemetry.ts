import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { collectDefaultMetrics } from 'prom-client'
import { packageVersion } from '../lib/package-version.ts'
import type { Store } from '../store/store.ts'
import { createMetrics, type Metrics } from '../telemetry/metrics/metrics.ts'
import { openMetricsListener } from '../telemetry/metrics/open-metrics-listener.ts'
import { type ServerState, stateMetrics } from '../telemetry/metrics/state-metrics.ts'
import { noTracing, type Tracing } from '../telemetry/traces/tracing.ts'
import type { Config } from './config.ts'

/** Surfaces whose requests are work; the others hand out files. */
const TRACED: ReadonlySet<string> = new Set(['ingest', 'history', 'management', 'account'])

/** What one server tells about its work. */
export interface Telemetry {
  metrics: Metrics
  tracing: Tracing
  /** The same database, whose commits are watched. */
  watchedStore(store: Store): Store
  /** Watches the requests to the routes of `scope`. */
  watchSurface(surface: string, scope: FastifyInstance): void
  /** Serves the metrics, where a port is set for them. */
  serve(state: ServerState): Promise<{ close(): Promise<void> } | undefined>
}

export async function openTelemetry(config: Config, log: Logger): Promise<Telemetry> {
  const metrics = createMetrics()
  const warn = (message: string, error: unknown) => log.warn({ err: error }, message)
  const tracing = await openTracingOf(config, warn)
  return {
    metrics,
    tracing,
    watchedStore(store) {
      const commit = metrics.watchedCommit(store.commit)
      return { ...store, commit: (operation) => tracing.step('commit', () => commit(operation)) }
    },
    watchSurface(surface, scope) {
      metrics.watchRequests(surface, scope)
      if (TRACED.has(surface)) tracing.watchRequests(scope)
    },
    async serve(state) {
      const { METRICS_HOST: host, METRICS_PORT: port } = config
      if (port === 'off') return undefined
      collectDefaultMetrics({ register: metrics.registry })
      stateMetrics(metrics.registry, state)
      return openMetricsListener({ host, port, registry: metrics.registry, warn })
    },
  }
}

/** Without a collector the exporter is not even loaded. */
async function openTracingOf(
  { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint }: Config,
  warn: (message: string, error: unknown) => void,
): Promise<Tracing> {
  if (endpoint === undefined) return noTracing
  const { openTracing } = await import('../telemetry/traces/open-tracing.ts')
  return openTracing({ endpoint, version: packageVersion(), warn })
}
