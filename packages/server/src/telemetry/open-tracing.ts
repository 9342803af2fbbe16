import { AsyncLocalStorage } from 'node:async_hooks'
import { type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Tracing } from './tracing.ts'

/** A collector that does not answer holds a stop no longer than this. */
const EXPORT_WITHIN_MS = 5_000

export interface TracingOptions {
  /** Base URL of the collector; spans go to `/v1/traces` below it. */
  endpoint: string
  version: string
  warn(message: string, error: unknown): void
}

/** Sends spans by OTLP over HTTP. Loaded only where a collector is named. */
export function openTracing({ endpoint, version, warn }: TracingOptions): Tracing {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint}/v1/traces`,
    timeoutMillis: EXPORT_WITHIN_MS,
  })
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'inkling', 'service.version': version }),
    spanProcessors: [
      new BatchSpanProcessor(reportingExporter(exporter, warn), { exportTimeoutMillis: EXPORT_WITHIN_MS }),
    ],
  })
  const tracer = provider.getTracer('inkling')
  const current = new AsyncLocalStorage<Context>()

  function within<Result>(span: Span, context: Context, work: () => Result): Result {
    return current.run(trace.setSpan(context, span), work)
  }

  return {
    step(name, work) {
      const context = current.getStore()
      if (!context) return work()
      const span = tracer.startSpan(name, {}, context)
      return within(span, context, () => ending(span, work))
    },

    apart: (work) => current.exit(work),

    task(name, work, tell) {
      const span = tracer.startSpan(name, { kind: SpanKind.CLIENT }, ROOT_CONTEXT)
      const told = async () => {
        const result = await work()
        span.setAttributes(tell(result))
        return result
      }
      return within(span, ROOT_CONTEXT, () => ending(span, told))
    },

    watchRequests: (scope) => watchRequests(scope, { start, within }),

    // What could not be exported has been told.
    close: () => provider.shutdown().catch(() => undefined),
  }

  /** By its route, because paths carry identifiers and keys. */
  function start({ method, routeOptions }: FastifyRequest): Span {
    const route = routeOptions.url ?? ''
    return tracer.startSpan(
      `${method} ${route}`,
      { kind: SpanKind.SERVER, attributes: { 'http.request.method': method, 'http.route': route } },
      ROOT_CONTEXT,
    )
  }
}

interface RequestSpans {
  start(request: FastifyRequest): Span
  within(span: Span, context: Context, work: () => void): void
}

function watchRequests(scope: FastifyInstance, { start, within }: RequestSpans): void {
  const spans = new WeakMap<FastifyRequest, Span>()
  scope.addHook('onRequest', (request, _reply, done) => {
    spans.set(request, start(request))
    done()
  })
  // Only here, because what reads a body loses the context it began in.
  scope.addHook('preHandler', (request, _reply, done) => {
    const span = spans.get(request)
    if (span) within(span, ROOT_CONTEXT, done)
    else done()
  })
  scope.addHook('onResponse', (request, { statusCode }, done) => {
    const span = spans.get(request)
    span?.setAttribute('http.response.status_code', statusCode)
    if (statusCode >= 500) span?.setStatus({ code: SpanStatusCode.ERROR })
    span?.end()
    done()
  })
}

/** Ends the span when the work has ended, at once or later. */
function ending<Result>(span: Span, work: () => Result): Result {
  try {
    const result = work()
    if (result instanceof Promise)
      result.then(
        () => span.end(),
        (error: unknown) => fail(span, error),
      )
    else span.end()
    return result
  } catch (error) {
    fail(span, error)
    throw error
  }
}

/** The kind of error only: its text may hold what was sent. */
function fail(span: Span, error: unknown): void {
  span.setAttribute('error.type', error instanceof Error ? error.name : typeof error)
  span.setStatus({ code: SpanStatusCode.ERROR })
  span.end()
}

/** The same exporter; each outage of the collector is told once. */
export function reportingExporter(
  exporter: SpanExporter,
  warn: (message: string, error: unknown) => void,
): SpanExporter {
  let failing = false
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        if (result.error && !failing) warn('traces could not be exported', result.error)
        failing = result.error !== undefined
        done(result)
      })
    },
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
    shutdown: () => exporter.shutdown(),
  }
}
