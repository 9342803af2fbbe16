import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Directory } from '../auth/directory.ts'
import { sendManagementError } from '../compat/answers.ts'
import { sendNotFound } from '../lib/answers.ts'
import { createConcurrencyLimit, type RateLimit, takeOne } from '../lib/limits.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import { withOutageError } from '../store/outages.ts'
import type { Store } from '../store/store.ts'

export interface ManagementDeps {
  directory: Directory
  store: Store
  /** Encrypts the signing secret of a new callback endpoint. */
  secrets: SecretBox
  /** Per client address. */
  limit: RateLimit
  clientAddress: (peer: string, forwardedFor: string | undefined) => string
  /** Short name in header names. */
  serviceName: string
  /** Public base URL of the History API, which succeeds the deprecated endpoint. */
  historyUrl: string
  allowPrivateWebhooks: boolean
  now: () => number
  /** Requests at the same time; more get a 503. */
  inFlightMax?: number
}

const IN_FLIGHT_MAX = 64

export interface ManagementRoute<Path> {
  method: 'GET' | 'POST'
  url: string
  /** Reads what the router cannot; undefined means that no route matches. */
  match: (request: FastifyRequest) => Path | undefined
  answer: (path: Path, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>
}

export type MountRoute = <Path>(route: ManagementRoute<Path>) => void

/**
 * Mounts routes with a common rate limit and a common concurrency limit. Requests with wrong credentials count; paths
 * that match no route do not.
 */
export function routeMount(app: FastifyInstance, deps: ManagementDeps): MountRoute {
  const work = createConcurrencyLimit(deps.inFlightMax ?? IN_FLIGHT_MAX)

  return ({ method, url, match, answer }) => {
    app.route({
      method,
      url,
      config: { sendError: sendManagementError },
      // Before the body is read, so that a request over the limit costs next to nothing.
      async onRequest(request, reply) {
        if (match(request) === undefined) return sendNotFound(reply)
        const address = deps.clientAddress(request.ip, request.headers['x-forwarded-for']?.toString())
        await takeOne(deps.limit, address)
      },
      async handler(request, reply) {
        const path = match(request)
        if (path === undefined) return sendNotFound(reply)
        // Only now, so that a client that sends its body slowly does not take a place.
        return work.run(() => withOutageError(async () => answer(path, request, reply)))
      },
    })
  }
}
