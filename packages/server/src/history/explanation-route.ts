import { isUuid } from '@inkling/contract'
import type { FastifyInstance } from 'fastify'
import { sendJson, sendTooMany, sendUnauthorized } from '../lib/answers.ts'
import { authenticateKey } from './authenticate-key.ts'
import type { HistoryDeps } from './history-deps.ts'
import { presentExplanation } from './present-explanation.ts'

/** GET /api/v1/explanation/:request_id. What each point of a score rests on; ours, not in the contract. */
export function explanationRoute(
  app: FastifyInstance,
  { directory, search, networkOf, limit }: HistoryDeps,
): void {
  app.get<{ Params: { requestId: string } }>('/api/v1/explanation/:requestId', async (request, reply) => {
    const caller = authenticateKey(request.headers.authorization, directory)
    if (!caller.ok) return sendUnauthorized(reply, caller.message)
    if ((await limit.take(caller.domain.name)) !== 'allowed') return sendTooMany(reply)
    const { requestId } = request.params
    if (!isUuid(requestId)) return sendJson(reply, 400, { error: 'request ID must be a UUID' })

    const filter = { by: 'request_id', uuid: requestId.toLowerCase() } as const
    const { rows } = await search(caller.domain.id, filter, { limit: 1, offset: 0 })
    const [row] = rows
    if (!row) return sendJson(reply, 404, { error: 'no such identification' })
    return sendJson(reply, 200, presentExplanation(row, await networkOf(caller.domain.id, row.id)))
  })
}
