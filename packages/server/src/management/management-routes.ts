import type { FastifyPluginAsync } from 'fastify'
import { callbackRoute } from '../compat/callback-route.ts'
import { deprecatedHistoryRoute } from '../compat/deprecated-history-route.ts'
import { olderProfileRoute, olderSearchRoute } from '../compat/older-management-routes.ts'
import { type ManagementDeps, routeMount } from './mount-route.ts'
import { profileRoute } from './profile.ts'

/** The same on every surface; the error handler's text names it. */
const BODY_BYTES_MAX = 512 * 1024

/** The Management API: a domain's profile, and the routes of older clients. */
export const managementRoutes =
  (deps: ManagementDeps): FastifyPluginAsync =>
  (app) => {
    // The one body, of the older callback route, is a URL as text under any content type.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: BODY_BYTES_MAX }, (_request, body, done) =>
      done(null, body),
    )
    app.addHook('onRequest', (request, _reply, done) => {
      // Fastify refuses a malformed content type before it looks for a parser.
      request.headers['content-type'] = 'text/plain'
      done()
    })

    const mount = routeMount(app, deps)
    profileRoute(mount, deps)
    // For older clients.
    deprecatedHistoryRoute(mount, deps)
    olderProfileRoute(mount, deps)
    olderSearchRoute(mount, deps)
    callbackRoute(mount, deps)
    return Promise.resolve()
  }
