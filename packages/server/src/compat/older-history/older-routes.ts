import type { OlderHistoryPage } from '@inkling/contract'
import type { FastifyPluginAsync, FastifyReply } from 'fastify'
import type { Directory, Domain } from '../../auth/directory.ts'
import { matchesSecretKey } from '../../auth/matches-secret-key.ts'
import type { HistoryDeps } from '../../history/history-deps.ts'
import { parseSearch } from '../../history/parse-search.ts'
import { sendJson, sendNotFound, sendTooMany, sendUnauthorized } from '../../lib/answers.ts'
import { type Paging, readPaging } from '../../lib/paging.ts'
import type { Page } from '../../store/identifications/identifications.ts'
import { presentSnapshot } from '../present-snapshot.ts'
import { presentOlderRow } from './present-older-row.ts'
import { OLDER_HISTORY_PREFIX, type OlderPath, readOlderPath } from './read-older-path.ts'

const DEBUG_LIMIT_MAX = 20

/**
 * GET /pub/{public_key}/{secret_key}/… : the previous form of the History API, with its search rules, its
 * errors and the limit that a domain has for both.
 */
export const olderHistoryRoutes =
  ({ directory, search, limit }: Omit<HistoryDeps, 'networkOf'>): FastifyPluginAsync =>
  (app) => {
    app.get(`${OLDER_HISTORY_PREFIX}*`, async (request, reply) => {
      const path = readOlderPath(request)
      if (!path) return sendNotFound(reply)

      const domain = domainOfKeys(path, directory)
      if (!domain) return sendUnauthorized(reply, 'invalid public key or secret key')
      if ((await limit.take(domain.name)) !== 'allowed') return sendTooMany(reply)
      const parsed = parseSearch(path.search.type, path.search.value)
      if (!parsed.ok) return sendJson(reply, 500, { error: parsed.message })

      return sendFound(reply, path.form, await search(domain.id, parsed.filter, pagingOf(path)))
    })
    return Promise.resolve()
  }

/** Both keys must be those of one domain. */
function domainOfKeys({ publicKey, secretKey }: OlderPath, directory: Directory): Domain | undefined {
  const domain = directory.byPublicKey(publicKey)
  return domain && matchesSecretKey(domain, secretKey) ? domain : undefined
}

function pagingOf({ form, search: { query } }: OlderPath): Paging {
  if (form === 'history') return readPaging(query)
  if (form === 'request') return { limit: 1, offset: 0 }
  return {
    ...readPaging(query, { limitDefault: DEBUG_LIMIT_MAX, limitMax: DEBUG_LIMIT_MAX }),
    offset: 0,
  }
}

/** Nothing found is an empty page, but an error where there are no pages. */
function sendFound(reply: FastifyReply, form: OlderPath['form'], { rows, total }: Page): FastifyReply {
  if (form === 'history') {
    const page: OlderHistoryPage = { total, data: rows.map(presentOlderRow) }
    return sendJson(reply, 200, page)
  }
  const [first] = rows
  if (!first) return sendJson(reply, 404, { error: 'no sessions found' })
  return sendJson(reply, 200, form === 'debug' ? rows.map(presentSnapshot) : presentOlderRow(first))
}
