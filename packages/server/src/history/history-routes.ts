import { type HistoryPage, isUuid } from '@inkling/contract'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import type { AdmitKey } from '../auth/admit-key.ts'
import type { Directory, Domain } from '../auth/directory.ts'
import { bearerToken } from '../auth/keys.ts'
import { sendHistoryError } from '../compat/answers.ts'
import { rawSegments, searchPath } from '../compat/raw-path.ts'
import { sendJson, sendNotFound } from '../lib/answers.ts'
import { AppError } from '../lib/errors.ts'
import { type RateLimit, takeOne } from '../lib/limits.ts'
import { unlessUnavailable } from '../store/cold/stored-bodies.ts'
import { identificationStore } from '../store/identifications/identifications.ts'
import { lookupOf } from '../store/identifications/lookup.ts'
import { readSnapshot } from '../store/identifications/snapshots.ts'
import type { Store } from '../store/store.ts'
import { presentExplanation } from './present-explanation.ts'
import { presentRow } from './present-row.ts'
import { saidOfVisit } from './said-of-visit.ts'
import { searchHistory } from './search.ts'

export interface HistoryDeps {
  directory: Directory
  admit: AdmitKey
  store: Store
  /** Per domain, shared by all of its callers. */
  limit: RateLimit
}

/** The path after it is not decoded by the router. */
export const SEARCH_PREFIX = '/api/v1/history/'

/** What a customer's backend reads: identifications, and why one was scored as it was. */
export const historyRoutes =
  (deps: HistoryDeps): FastifyPluginAsync =>
  (app) => {
    const { store } = deps
    const config = { sendError: sendHistoryError }

    app.get(`${SEARCH_PREFIX}*`, { config }, async (request, reply) => {
      const path = searchPath(rawSegments(request, SEARCH_PREFIX))
      if (!path) return sendNotFound(reply)
      const domain = await admitted(request, deps)
      const { rows, total } = await searchHistory(store, domain.id, path)
      const page: HistoryPage = { data: rows.map((row) => presentRow(row, domain.name)), total }
      return sendJson(reply, 200, page)
    })

    app.get<{ Params: { requestId: string } }>(
      '/api/v1/explanation/:requestId',
      { config },
      async (request, reply) => {
        const domain = await admitted(request, deps)
        const { requestId } = request.params
        if (!isUuid(requestId)) throw new AppError('INK_INVALID_FIELD', 'request ID must be a UUID')
        const lookup = lookupOf('request_id', requestId)
        const [row] = (await identificationStore(store.reads).search(domain.id, lookup, 1, 0)).rows
        if (!row) throw new AppError('INK_NOT_FOUND', 'no such identification')
        const [snapshot, said] = await Promise.all([
          unlessUnavailable(readSnapshot(store, domain.id, row.id)),
          saidOfVisit(store.reads, row),
        ])
        return sendJson(reply, 200, { ...presentExplanation(row, snapshot), ...said })
      },
    )
    return Promise.resolve()
  }

/**
 * The domain whose API key the request carries, once the request is counted.
 * @throws AppError without a valid key of the scope, and over the domain's limit
 */
async function admitted({ headers }: FastifyRequest, { admit, limit }: HistoryDeps): Promise<Domain> {
  if (bearerToken(headers.authorization) === undefined)
    throw new AppError('INK_INVALID_API_KEY', 'missing or invalid authorization header')
  const domain = admit(headers.authorization, 'history:read')
  await takeOne(limit, domain.name)
  return domain
}
