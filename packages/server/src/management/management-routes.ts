import type { FastifyPluginAsync } from 'fastify'
import { deprecatedHistoryRoute } from '../compat/deprecated-history-route.ts'
import { olderHistoryRoute } from '../compat/older-history-route.ts'
import { olderProfileRoute } from '../compat/older-profile-route.ts'
import { callbackRoute } from './callback-route.ts'
import type { ManagementDeps } from './management-deps.ts'
import { routeMount } from './mount-route.ts'
import { profileRoute } from './profile-route.ts'

/** Far more than a URL needs: the limit that the error door tells of, the same on every surface. */
const BODY_BYTES_MAX = 512 * 1024

/** The surface that administers a domain, in its present and its older form. */
export const managementRoutes =
  (deps: ManagementDeps): FastifyPluginAsync =>
  (app) => {
    // The callback's body is a URL as text, whatever its type says.
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'string', bodyLimit: BODY_BYTES_MAX }, (_request, body, done) =>
      done(null, body),
    )
    app.addHook('onRequest', (request, _reply, done) => {
      // A type that is no type would be refused before any parser is asked.
      request.headers['content-type'] = 'text/plain'
      done()
    })

    const mount = routeMount(app, deps)
    profileRoute(mount, deps)
    deprecatedHistoryRoute(mount, deps)
    olderProfileRoute(mount, deps)
    olderHistoryRoute(mount, deps)
    callbackRoute(mount, deps)
    return Promise.resolve()
  }
