import type { FastifyInstance } from 'fastify'
import { collectDefaultMetrics } from 'prom-client'
import type { Store } from '../store/store.ts'
import { createMetrics, type Metrics } from '../telemetry/metrics.ts'
import { openMetricsListener } from '../telemetry/metrics-listener.ts'
import { type ServerState, stateMetrics } from '../telemetry/state-metrics.ts'
import { noTracing, type Tracing } from '../telemetry/tracing.ts'
import type { ServerContext } from './config.ts'
import { packageVersion } from './running-state.ts'

/** Surfaces with traces. The others serve files, the demo and assistants. */
const TRACED: ReadonlySet<string> = new Set([
  'ingest',
  'history',
  'assess',
  'decide',
  'labels',
  'management',
  'account',
])

/** Metrics and traces of one server. */
export interface Telemetry {
  metrics: Metrics
  tracing: Tracing
  /** The same store, with its commits measured and traced. */
  instrumentedStore(store: Store): Store
  /** Measures and traces the requests to the routes of `scope`. */
  watchSurface(surface: string, scope: FastifyInstance): void
}

export async function openTelemetry(context: ServerContext): Promise<Telemetry> {
  const metrics = createMetrics()
  const tracing = await openTracing(context)
  context.opened.defer(() => tracing.close())
  return {
    metrics,
    tracing,
    instrumentedStore(store) {
      const commit = metrics.watchedCommit(store.commit)
      return { ...store, commit: (operation) => tracing.step('commit', () => commit(operation)) }
    },
    watchSurface(surface, scope) {
      metrics.watchRequests(surface, scope)
      if (TRACED.has(surface)) tracing.watchRequests(scope)
    },
  }
}

/** Loads the exporter only when a collector is set. */
async function openTracing({ config, warn }: ServerContext): Promise<Tracing> {
  const endpoint = config.OTEL_EXPORTER_OTLP_ENDPOINT
  if (endpoint === undefined) return noTracing
  const module = await import('../telemetry/open-tracing.ts')
  return module.openTracing({ endpoint, version: packageVersion(), warn })
}

/** Serves `GET /metrics` on `METRICS_PORT`, unless that is off. */
export async function serveMetrics(
  { config, opened, warn }: ServerContext,
  { telemetry, state }: { telemetry: Telemetry; state: ServerState },
): Promise<void> {
  const { METRICS_HOST: host, METRICS_PORT: port } = config
  if (port === 'off') return
  const { registry } = telemetry.metrics
  collectDefaultMetrics({ register: registry })
  stateMetrics(registry, state)
  const listener = await openMetricsListener({ host, port, registry, warn })
  opened.defer(() => listener.close())
}
