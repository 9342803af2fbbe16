import type { SpanExporter } from '@opentelemetry/sdk-trace-base'

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
