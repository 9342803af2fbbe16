import { AppError } from '../lib/errors.ts'
import { authenticateSecret, headerCredentials } from '../management/authenticate-secret.ts'
import type { ManagementDeps, MountRoute } from '../management/mount-route.ts'
import { sendSnapshots } from './legacy-search.ts'
import { rawSegments, searchPath } from './raw-path.ts'

/** The path after it is not decoded by the router. */
export const DEPRECATED_HISTORY_PREFIX = '/v1/history/'

const SUNSET_MS = Date.UTC(2027, 0, 1)

/** GET /v1/history/:type/:value: the predecessor of History, which ends with 2026 (§4.3, 9.4). */
export function deprecatedHistoryRoute(
  mount: MountRoute,
  { directory, store, serviceName, historyUrl, now }: ManagementDeps,
): void {
  const announcement = {
    deprecation: 'true',
    sunset: new Date(SUNSET_MS).toUTCString(),
    link: `<${historyUrl}/api/v1/history>; rel="successor-version"`,
  }
  mount({
    method: 'GET',
    url: `${DEPRECATED_HISTORY_PREFIX}*`,
    match: (request) => searchPath(rawSegments(request, DEPRECATED_HISTORY_PREFIX)),
    answer(path, request, reply) {
      // Set first, because errors carry the headers too.
      reply.headers(announcement)
      if (now() >= SUNSET_MS) throw new AppError('INK_ROUTE_ENDED')
      const domain = authenticateSecret(headerCredentials(request, serviceName), directory)
      return sendSnapshots(reply, store, domain, path)
    },
  })
}
