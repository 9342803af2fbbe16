import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sendNotFound } from '../lib/answers.ts'
import { createConcurrencyLimit } from '../lib/concurrency-limit.ts'
import { AppError } from '../lib/errors.ts'
import { isOutage } from '../store/store-error.ts'
import { sendManagementJson } from './management-answers.ts'
import type { ManagementDeps } from './management-deps.ts'

const IN_FLIGHT_MAX = 64

export interface ManagementRoute<Path> {
  method: 'GET' | 'POST'
  url: string
  /** What the router cannot check; undefined answers like a path that no route knows. */
  match: (request: FastifyRequest) => Path | undefined
  answer: (path: Path, request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>
}

export type MountRoute = <Path>(route: ManagementRoute<Path>) => void

/**
 * Mounts routes behind the one limit they share: every request counts for its client address, those with
 * wrong credentials too. A path that matches nothing does not count.
 */
export function routeMount(app: FastifyInstance, deps: ManagementDeps): MountRoute {
  const work = createConcurrencyLimit(deps.inFlightMax ?? IN_FLIGHT_MAX)

  return ({ method, url, match, answer }) => {
    app.route({
      method,
      url,
      // Before the body is read, so that a request over the limit costs next to nothing.
      async onRequest(request, reply) {
        if (match(request) === undefined) return sendNotFound(reply)
        const address = deps.clientAddress(request.ip, request.headers['x-forwarded-for']?.toString())
        if ((await deps.limit.take(address)) !== 'allowed')
          return sendManagementJson(reply, 429, { error: 'too many requests' })
      },
      async handler(request, reply) {
        const path = match(request)
        if (path === undefined) return sendNotFound(reply)
        try {
          // Counted only from here: a client that sends its body slowly must not take a place.
          return await work.run(() => answer(path, request, reply))
        } catch (error) {
          if (!isBusy(error)) throw error
          // What the route wanted to say beside its answer.
          for (const name of Object.keys(reply.getHeaders())) reply.removeHeader(name)
          return sendManagementJson(reply, 503, { error: 'server is busy' })
        }
      },
    })
  }
}

const isBusy = (error: unknown): boolean =>
  (error instanceof AppError && error.code === 'INK_SERVER_BUSY') || isOutage(error)
