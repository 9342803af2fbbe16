import type { HistoryPage } from '@inkling/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { rawSegments } from '../compat/raw-path.ts'
import { searchPath } from '../compat/search-path.ts'
import { sendJson, sendNotFound, sendTooMany, sendUnauthorized } from '../lib/answers.ts'
import { readPaging } from '../lib/paging.ts'
import { authenticateKey } from './authenticate-key.ts'
import type { HistoryDeps } from './history-deps.ts'
import { parseSearch } from './parse-search.ts'
import { presentRow } from './present-row.ts'

export const SEARCH_PREFIX = '/api/v1/history/'

/** GET /api/v1/history/:search_type/:value. The key selects the domain, its subdomains included. */
export function searchRoute(app: FastifyInstance, { directory, search, limit }: HistoryDeps): void {
  app.get(`${SEARCH_PREFIX}*`, async (request: FastifyRequest, reply: FastifyReply) => {
    const path = searchPath(rawSegments(request, SEARCH_PREFIX))
    if (!path) return sendNotFound(reply)

    const caller = authenticateKey(request.headers.authorization, directory)
    if (!caller.ok) return sendUnauthorized(reply, caller.message)
    if ((await limit.take(caller.domain.name)) !== 'allowed') return sendTooMany(reply)
    const parsed = parseSearch(path.type, path.value)
    if (!parsed.ok) return sendJson(reply, 500, { error: parsed.message })

    const { rows, total } = await search(caller.domain.id, parsed.filter, readPaging(path.query))
    const page: HistoryPage = { data: rows.map((row) => presentRow(row, caller.domain.name)), total }
    return sendJson(reply, 200, page)
  })
}
