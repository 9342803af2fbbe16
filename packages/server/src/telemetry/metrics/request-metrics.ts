import type { FastifyInstance } from 'fastify'
import { Counter, Histogram, type Registry } from 'prom-client'
import { SECONDS_BUCKETS } from './buckets.ts'

export function requestMetrics(registry: Registry) {
  const requests = new Counter({
    name: 'inkling_requests_total',
    help: 'Requests that a route answered, by surface and HTTP status',
    labelNames: ['surface', 'status'],
    registers: [registry],
  })
  const durations = new Histogram({
    name: 'inkling_request_seconds',
    help: 'From a request to the end of its answer',
    labelNames: ['surface'],
    buckets: SECONDS_BUCKETS,
    registers: [registry],
  })

  return {
    /** Counts the requests to the routes of `scope`. */
    watchRequests(surface: string, scope: FastifyInstance): void {
      scope.addHook('onResponse', (_request, reply, done) => {
        requests.inc({ surface, status: reply.statusCode })
        durations.observe({ surface }, reply.elapsedTime / 1_000)
        done()
      })
    },
  }
}
