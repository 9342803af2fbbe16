import type { FastifyRequest } from 'fastify'
import { authenticateSecret, type Credentials, pathCredentials } from '../management/authenticate-secret.ts'
import { sendBadCredentials } from '../management/management-answers.ts'
import type { ManagementDeps } from '../management/management-deps.ts'
import type { MountRoute } from '../management/mount-route.ts'
import { rawSegments } from './raw-path.ts'
import { type SearchPath, searchPath } from './search-path.ts'
import { sendSnapshots } from './send-snapshots.ts'

interface OlderSearch {
  credentials: Credentials
  search: SearchPath
}

/**
 * GET /{domain}:{secret}/history/{type}/{value}?limit=N. The older form of the deprecated search; no end
 * was ever announced for it, so it has neither the headers nor the end.
 */
export function olderHistoryRoute(mount: MountRoute, { directory, store }: ManagementDeps): void {
  mount({
    method: 'GET',
    url: '/:credentials/history/*',
    match: readPath,
    async answer({ credentials, search }, _request, reply) {
      const domain = authenticateSecret(credentials, directory)
      return domain ? sendSnapshots(reply, store, domain, search) : sendBadCredentials(reply)
    },
  })
}

/** No fixed prefix keeps the router from decoding here: a broken escape is the plain 404 of the router. */
function readPath(request: FastifyRequest): OlderSearch | undefined {
  const credentials = pathCredentials(request)
  const { segments, query } = rawSegments(request, '/')
  const search = searchPath({ segments: segments.slice(2), query })
  return credentials && search && { credentials, search }
}
