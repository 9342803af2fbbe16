import type { FastifyPluginAsync } from 'fastify'
import { explanationRoute } from './explanation-route.ts'
import type { HistoryDeps } from './history-deps.ts'
import { searchRoute } from './search-route.ts'

/** The surface that a customer's backend reads. */
export const historyRoutes =
  (deps: HistoryDeps): FastifyPluginAsync =>
  (app) => {
    searchRoute(app, deps)
    explanationRoute(app, deps)
    return Promise.resolve()
  }
