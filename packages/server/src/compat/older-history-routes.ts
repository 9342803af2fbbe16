import { type OlderHistoryPage, type OlderHistoryRow, presentRowTime } from '@inkling/contract'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import type { Directory, Domain } from '../auth/directory.ts'
import { matchesSecretKey } from '../auth/keys.ts'
import type { HistoryDeps } from '../history/history-routes.ts'
import { type Paging, readPaging } from '../history/paging.ts'
import { searchHistory } from '../history/search.ts'
import { ipv4ToText } from '../lib/address.ts'
import { sendJson, sendNotFound } from '../lib/answers.ts'
import { AppError } from '../lib/errors.ts'
import { takeOne } from '../lib/limits.ts'
import { uuidToText } from '../lib/uuid.ts'
import { readScoreDetails } from '../store/identifications/identification-row.ts'
import type { IdentificationRow, Page } from '../store/identifications/identifications.ts'
import { requestIdText } from '../store/identifications/lookup.ts'
import { sendHistoryError } from './answers.ts'
import { presentSnapshot } from './present-snapshot.ts'
import { rawSegments, type SearchPath, searchPath } from './raw-path.ts'

/** The path after it is not decoded by the router. */
export const OLDER_HISTORY_PREFIX = '/pub/'

const DEBUG_LIMIT_MAX = 20

/**
 * GET /pub/{public_key}/{secret_key}/…: the History API before it took a key in a header (§4.7, S10.14).
 * It shares History's search, errors and limit.
 */
export const olderHistoryRoutes =
  ({ directory, store, limit }: Omit<HistoryDeps, 'admit'>): FastifyPluginAsync =>
  (app) => {
    app.get(
      `${OLDER_HISTORY_PREFIX}*`,
      { config: { sendError: sendHistoryError } },
      async (request, reply) => {
        const path = readPath(request)
        if (!path) return sendNotFound(reply)
        const domain = domainOfKeys(path, directory)
        if (!domain) throw new AppError('INK_INVALID_API_KEY', 'invalid public key or secret key')
        await takeOne(limit, domain.name)
        const page = await searchHistory(store, domain.id, path.search, pagingOf(path))
        return sendPage(reply, path.form, page)
      },
    )
    return Promise.resolve()
  }

interface OlderPath {
  publicKey: string
  secretKey: string
  form: 'history' | 'debug' | 'request'
  search: SearchPath
}

/** Reads `{public_key}/{secret_key}/{form}/…`; undefined when no route matches. */
function readPath(request: FastifyRequest): OlderPath | undefined {
  const { segments, query } = rawSegments(request, OLDER_HISTORY_PREFIX)
  const [publicKey, secretKey, form, ...rest] = segments
  if (!publicKey || !secretKey) return undefined
  if (form !== 'history' && form !== 'debug' && form !== 'request') return undefined
  const search = searchPath({ segments: form === 'request' ? ['request_id', ...rest] : rest, query })
  return search && { publicKey, secretKey, form, search }
}

/** Both keys must belong to one domain. */
function domainOfKeys({ publicKey, secretKey }: OlderPath, directory: Directory): Domain | undefined {
  const domain = directory.byPublicKey(publicKey)
  return domain && matchesSecretKey(domain, secretKey) ? domain : undefined
}

function pagingOf({ form, search: { query } }: OlderPath): Paging {
  if (form === 'history') return readPaging(query)
  if (form === 'request') return { limit: 1, offset: 0 }
  return { ...readPaging(query, { limitDefault: DEBUG_LIMIT_MAX, limitMax: DEBUG_LIMIT_MAX }), offset: 0 }
}

/** S10.14: without a match, `history` answers an empty page and the other two an error. */
function sendPage(reply: FastifyReply, form: OlderPath['form'], { rows, total }: Page): FastifyReply {
  if (form === 'history') {
    const page: OlderHistoryPage = { total, data: rows.map(presentOlderRow) }
    return sendJson(reply, 200, page)
  }
  const [first] = rows
  if (!first) throw new AppError('INK_NOT_FOUND', 'no sessions found')
  return sendJson(reply, 200, form === 'debug' ? rows.map(presentSnapshot) : presentOlderRow(first))
}

/** Names each outgoing field, so that a new column does not leave the server. */
const presentOlderRow = (row: IdentificationRow): OlderHistoryRow => ({
  request_id: requestIdText(row.request_id),
  device_id: uuidToText(row.device_id),
  visitor_id: uuidToText(row.visitor_id),
  user_hid: row.user_hid,
  ip: ipv4ToText(row.ip),
  os: row.os,
  country: row.country ?? '',
  score: row.score,
  details: readScoreDetails(row.verdict),
  created_at: presentRowTime(row.created_at),
})
