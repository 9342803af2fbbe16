import { isUuid, NIL_UUID } from '@inkling/contract'
import type { FastifyInstance } from 'fastify'
import { rawSegments } from '../compat/raw-path.ts'
import { Refusal } from '../lib/refusal.ts'
import type { Received } from '../visit/identification.ts'
import { callerOf } from './caller.ts'
import type { IngestDeps, IngestOutcome } from './ingest-deps.ts'
import { parseBody } from './parse-body.ts'
import { requestFacts } from './request-facts.ts'

export const SNAPSHOT_PREFIX = '/snapshot/'
const BODY_BYTES_MAX = 512 * 1024

/**
 * POST /snapshot/:request_id?publicKey=KEY. The answer is the client's address and means: stored. A
 * request ID that was used before, and a visitor over the limit, are answered in the same way.
 */
export function snapshotRoute(app: FastifyInstance, deps: IngestDeps): void {
  app.post(`${SNAPSHOT_PREFIX}*`, { bodyLimit: BODY_BYTES_MAX }, (request, reply) =>
    deps.work.run(async () => {
      const { domain, host } = callerOf(request, deps.directory)
      const address = deps.clientAddress(request.ip, request.headers['x-forwarded-for']?.toString())
      const sentId = rawSegments(request, SNAPSHOT_PREFIX).segments.join('/')
      const requestId = isUuid(sentId) ? sentId.toLowerCase() : NIL_UUID
      const visit = { domain, requestId, host, address, atMs: deps.now() }

      let outcome: IngestOutcome = 'over_limit'
      const permission = await deps.limit.take(address)
      if (permission === 'exceeded') await deps.mark(visit, domain)
      if (permission === 'allowed') {
        if (requestId === NIL_UUID) throw new Refusal('invalid_request', 'request ID must be a UUID')
        const body = deps.decoder.decode(bodyBytes(request.body), requestId)
        const received: Received = {
          ...parseBody(body),
          ...visit,
          request: requestFacts(request.headers),
          network: deps.observe(request, visit),
          via: 'agent',
          body,
          late: undefined,
        }
        outcome = await deps.process(received, domain)
      }
      deps.ended(outcome, reply.elapsedTime)
      return reply.header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(address))
    }),
  )
}

const bodyBytes = (body: unknown): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0))
