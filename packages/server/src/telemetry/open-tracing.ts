import { AsyncLocalStorage } from 'node:async_hooks'
import { type Context, ROOT_CONTEXT, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BasicTracerProvider, BatchSpanProcessor, type SpanExporter } from '@opentelemetry/sdk-trace-base'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Tracing } from './tracing.ts'

/** How long a collector that does not respond may delay the shutdown. */
const EXPORT_WITHIN_MS = 5_000

export interface TracingOptions {
  /** Base URL of the collector; spans are sent to `/v1/traces` below it. */
  endpoint: string
  version: string
  warn(message: string, error: unknown): void
}

/** Exports spans by OTLP over HTTP (https://opentelemetry.io/docs/specs/otlp/). Loaded only if a collector is set. */
export function openTracing({ endpoint, version, warn }: TracingOptions): Tracing {
  const exporter = new OTLPTraceExporter({
    url: `${endpoint}/v1/traces`,
    timeoutMillis: EXPORT_WITHIN_MS,
  })
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'inkling', 'service.version': version }),
    spanProcessors: [
      new BatchSpanProcessor(withOutageLog(exporter, warn), { exportTimeoutMillis: EXPORT_WITHIN_MS }),
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

    task(name, work, attributesOf) {
      const span = tracer.startSpan(name, { kind: SpanKind.CLIENT }, ROOT_CONTEXT)
      const workWithAttributes = async () => {
        const result = await work()
        span.setAttributes(attributesOf(result))
        return result
      }
      return within(span, ROOT_CONTEXT, () => ending(span, workWithAttributes))
    },

    watchRequests: (scope) => watchRequests(scope, { start, within }),

    // Failed exports have been logged.
    close: () => provider.shutdown().catch(() => undefined),
  }

  /** Named after the route, because paths contain identifiers and keys. */
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
  // Not in onRequest, because reading the body loses the async context.
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

/** Ends the span when the work ends, synchronously or not. */
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

/** Records the kind of the error only, because its message may contain user data. */
function fail(span: Span, error: unknown): void {
  span.setAttribute('error.type', error instanceof Error ? error.name : typeof error)
  span.setStatus({ code: SpanStatusCode.ERROR })
  span.end()
}

/** The same exporter, which logs each outage of the collector once. */
function withOutageLog(
  exporter: SpanExporter,
  warn: (message: string, error: unknown) => void,
): SpanExporter {
  let isOut = false
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        if (result.error && !isOut) warn('traces could not be exported', result.error)
        isOut = result.error !== undefined
        done(result)
      })
    },
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
    shutdown: () => exporter.shutdown(),
  }
}
