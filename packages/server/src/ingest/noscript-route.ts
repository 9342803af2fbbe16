import { randomUUID } from 'node:crypto'
import { NIL_UUID } from '@inkling/contract'
import type { FastifyInstance } from 'fastify'
import type { Received } from '../visit/identification.ts'
import { callerOf } from './caller.ts'
import type { IngestDeps, IngestOutcome } from './ingest-deps.ts'
import { noReadings } from './parse-body.ts'
import { requestFacts } from './request-facts.ts'

/** The smallest GIF: one transparent pixel. */
const PIXEL = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64')

/** GET /noscript?publicKey=KEY. An image inside `<noscript>`: only a browser that runs no script loads it. */
export function noscriptRoute(app: FastifyInstance, deps: IngestDeps): void {
  app.get('/noscript', (request, reply) =>
    deps.work.run(async () => {
      const { domain, host } = callerOf(request, deps.directory)
      const address = deps.clientAddress(request.ip, request.headers['x-forwarded-for']?.toString())
      const visit = { domain, requestId: randomUUID(), host, address, atMs: deps.now() }

      let outcome: IngestOutcome = 'over_limit'
      const permission = await deps.limit.take(address)
      if (permission === 'exceeded') await deps.mark(visit, domain)
      if (permission === 'allowed') {
        const received: Received = {
          ...visit,
          sessionId: NIL_UUID,
          cookieId: NIL_UUID,
          userHid: 'unknown',
          request: requestFacts(request.headers),
          landing: { url: request.headers.referer ?? '', referrer: '' },
          via: 'noscript',
          readings: noReadings(),
          network: deps.observe(request, visit),
          followUp: false,
          body: '{}',
          late: undefined,
        }
        outcome = await deps.process(received, domain)
      }
      deps.ended(outcome, reply.elapsedTime)
      return reply.header('content-type', 'image/gif').header('cache-control', 'no-store').send(PIXEL)
    }),
  )
}
