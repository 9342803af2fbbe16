import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import type { IngestDeps, IngestOutcome } from './ingest-deps.ts'
import { noscriptRoute } from './noscript-route.ts'
import { readBodies } from './read-bodies.ts'
import { snapshotRoute } from './snapshot-route.ts'

const PREFLIGHT_SECONDS = 86_400

const REFUSALS: Record<number, IngestOutcome> = {
  400: 'invalid_request',
  401: 'unauthorized',
  413: 'too_large',
  503: 'busy',
}
const refusalOf = (status: number): IngestOutcome => REFUSALS[status] ?? 'failed'

/** What pages of any origin call; who may is decided by key and origin, not by CORS. */
export const ingestRoutes =
  (deps: IngestDeps): FastifyPluginAsync =>
  (app: FastifyInstance) => {
    app.addHook('onRequest', (request, reply, done) => {
      // A type that is no type would be refused before any parser is asked.
      request.headers['content-type'] = 'application/octet-stream'
      reply.header('access-control-allow-origin', '*').header('cross-origin-resource-policy', 'cross-origin')
      // Before the body is read, so that a flood costs next to nothing.
      if (request.method !== 'OPTIONS') deps.work.refuseWhenFull()
      done()
    })
    // The agent sends no type that needs a preflight.
    readBodies(app)
    app.addHook('onResponse', (_request, reply, done) => {
      if (reply.statusCode >= 400) deps.ended(refusalOf(reply.statusCode), reply.elapsedTime)
      done()
    })
    app.options('/snapshot/*', (_request, reply) =>
      reply
        .code(204)
        .header('access-control-allow-methods', 'POST')
        .header('access-control-allow-headers', 'content-type')
        .header('access-control-max-age', String(PREFLIGHT_SECONDS))
        .send(),
    )
    snapshotRoute(app, deps)
    noscriptRoute(app, deps)
    return Promise.resolve()
  }
