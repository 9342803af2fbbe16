import { authenticateSecret, headerCredentials } from '../management/authenticate-secret.ts'
import { sendBadCredentials, sendManagementJson } from '../management/management-answers.ts'
import type { ManagementDeps } from '../management/management-deps.ts'
import type { MountRoute } from '../management/mount-route.ts'
import { rawSegments } from './raw-path.ts'
import { searchPath } from './search-path.ts'
import { sendSnapshots } from './send-snapshots.ts'

export const DEPRECATED_HISTORY_PREFIX = '/v1/history/'

const SUNSET_MS = Date.UTC(2027, 0, 1)

/** GET /v1/history/:type/:value. History's predecessor, which ends with the year 2026. */
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
    async answer(path, request, reply) {
      // Set before anything can go wrong: an answer of the error door carries them too.
      reply.headers(announcement)
      if (now() >= SUNSET_MS)
        return sendManagementJson(reply, 410, 'this endpoint ended on 2027-01-01, use the History API')
      const credentials = headerCredentials(request, serviceName)
      const domain = credentials && authenticateSecret(credentials, directory)
      if (!domain) return sendBadCredentials(reply)
      return sendSnapshots(reply, store, domain, path)
    },
  })
}
