import type { FastifyRequest } from 'fastify'
import { authenticateSecret, type Credentials } from '../management/authenticate-secret.ts'
import type { ManagementDeps, MountRoute } from '../management/mount-route.ts'
import { sendProfile } from '../management/profile.ts'
import { sendSnapshots } from './legacy-search.ts'
import { rawSegments, type SearchPath, searchPath } from './raw-path.ts'

/**
 * Credentials as `{domain}:{secret}` in the first segment (§4.7). Any text on both sides of a colon counts,
 * so that a mistyped secret is answered as a wrong one and not as an unknown path.
 */
export function pathCredentials({ params }: FastifyRequest): Credentials | undefined {
  const { credentials = '' } = params as { credentials?: string }
  const colon = credentials.lastIndexOf(':')
  const domain = credentials.slice(0, Math.max(colon, 0))
  const secret = credentials.slice(colon + 1)
  return domain && secret ? { domain, secret } : undefined
}

/** GET /{domain}:{secret}/profile: /v1/profile with the credentials in the path (§4.7). */
export function olderProfileRoute(mount: MountRoute, { directory, store }: ManagementDeps): void {
  mount({
    method: 'GET',
    url: '/:credentials/profile',
    match: pathCredentials,
    answer: (credentials, _request, reply) =>
      sendProfile(reply, store, authenticateSecret(credentials, directory).id),
  })
}

interface OlderSearch {
  credentials: Credentials
  search: SearchPath
}

/**
 * GET /{domain}:{secret}/history/{type}/{value}: the deprecated search with the credentials in the path
 * (§4.7). It has no announced end, so neither the headers nor the end of the other form.
 */
export function olderSearchRoute(mount: MountRoute, { directory, store }: ManagementDeps): void {
  mount({
    method: 'GET',
    url: '/:credentials/history/*',
    match: readPath,
    answer: ({ credentials, search }, _request, reply) =>
      sendSnapshots(reply, store, authenticateSecret(credentials, directory), search),
  })
}

/** The start of a search's path, whose value the router must not decode: the credentials, with a colon in them. */
export function olderSearchPrefix(url: string): string | undefined {
  const prefix = /^\/[^/?]+\/history\//.exec(url)?.[0]
  return prefix !== undefined && /:|%3a/i.test(prefix) ? prefix : undefined
}

function readPath(request: FastifyRequest): OlderSearch | undefined {
  const credentials = pathCredentials(request)
  const { segments, query } = rawSegments(request, '/')
  const search = searchPath({ segments: segments.slice(2), query })
  return credentials && search && { credentials, search }
}
