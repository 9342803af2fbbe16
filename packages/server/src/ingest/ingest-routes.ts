import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import type { IngestDeps } from './ingest-deps.ts'
import { noscriptRoute } from './noscript-route.ts'
import { snapshotRoute } from './snapshot-route.ts'

const PREFLIGHT_SECONDS = 86_400

/** What pages of any origin call; who may is decided by key and origin, not by CORS. */
export const ingestRoutes =
  (deps: IngestDeps): FastifyPluginAsync =>
  (app: FastifyInstance) => {
    // Whatever its type says, a body is read as bytes: the agent sends none that needs a preflight.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    app.addHook('onRequest', (request, reply, done) => {
      // A type that is no type would be refused before any parser is asked.
      request.headers['content-type'] = 'application/octet-stream'
      reply.header('access-control-allow-origin', '*').header('cross-origin-resource-policy', 'cross-origin')
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
