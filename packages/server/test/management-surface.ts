import type { FastifyInstance } from 'fastify'
import { DEPRECATED_HISTORY_PREFIX } from '../src/compat/deprecated-history-route.ts'
import { createRateLimit } from '../src/lib/limits.ts'
import { managementRoutes } from '../src/management/management-routes.ts'
import type { ManagementDeps } from '../src/management/mount-route.ts'
import { surface, type TestDomain, temporaryDomain } from './temporary-surface.ts'

export interface ManagementSurface extends TestDomain {
  app: FastifyInstance
  /** The headers of a client of shop.example. */
  headers: Record<string, string>
}

/** The Management API of one test, by default with the limit of production. */
export async function managementSurface(
  given: Partial<ManagementDeps> | ((deps: ManagementDeps) => Partial<ManagementDeps>) = {},
): Promise<ManagementSurface> {
  const domain = await temporaryDomain()
  const deps: ManagementDeps = {
    directory: domain.directory,
    store: domain.store,
    secrets: domain.secrets,
    limit: createRateLimit(
      { points: 15, windowSeconds: 60, blockSeconds: 600 },
      { name: 'test', pool: undefined },
    ),
    clientAddress: (peer) => peer,
    serviceName: 'Svc',
    historyUrl: 'https://history.example',
    allowPrivateWebhooks: false,
    now: () => Date.UTC(2026, 10, 21),
  }
  const changed = { ...deps, ...(typeof given === 'function' ? given(deps) : given) }
  const app = surface(managementRoutes(changed), [DEPRECATED_HISTORY_PREFIX])
  const headers = { 'x-svc-domain': 'shop.example', authorization: `Bearer ${domain.secretKey}` }
  return { ...domain, app, headers }
}
