import type { IncomingMessage, RequestListener, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyPluginAsync,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify'
import type { Logger } from 'pino'
import type { AccountDeps } from './account/account-deps.ts'
import { accountRoutes } from './account/account-routes.ts'
import { type AgentScriptDeps, agentScriptRoutes } from './agent-script/agent-script-routes.ts'
import type { PublicUrls } from './config.ts'
import { type DashboardDeps, dashboardRoutes } from './dashboard/dashboard-routes.ts'
import { type DemoDeps, demoRoutes } from './demo/demo-routes.ts'
import type { HistoryDeps } from './history/history-deps.ts'
import { historyRoutes } from './history/history-routes.ts'
import { olderHistoryRoutes } from './history/older/older-routes.ts'
import { OLDER_HISTORY_PREFIX } from './history/older/read-older-path.ts'
import { SEARCH_PREFIX } from './history/search-route.ts'
import type { IngestDeps } from './ingest/ingest-deps.ts'
import { ingestRoutes } from './ingest/ingest-routes.ts'
import { SNAPSHOT_PREFIX } from './ingest/snapshot-route.ts'
import { sendJson, sendNotFound } from './lib/answers.ts'
import { createBasePath } from './lib/base-path.ts'
import { Refusal } from './lib/refusal.ts'
import { refuseUnreadable } from './lib/refuse-unreadable.ts'
import { DEPRECATED_HISTORY_PREFIX } from './management/deprecated-history-route.ts'
import type { ManagementDeps } from './management/management-deps.ts'
import { managementRoutes } from './management/management-routes.ts'
import { referenceRoutes } from './reference/reference-routes.ts'

export interface AppDeps {
  log: Logger
  urls: PublicUrls
  ingest: IngestDeps
  history: HistoryDeps
  management: ManagementDeps
  account: AccountDeps
  dashboard: DashboardDeps
  agentScript: AgentScriptDeps
  /** Undefined where there is no demo. */
  demo: DemoDeps | undefined
  /** The server that requests come in by, which watches their connections. */
  serve(handler: RequestListener, timeouts: { requestTimeoutMs: number }): Server
  /** Takes connections that ask to become WebSockets. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
}

/** Paths whose values are compared as raw bytes: the router must not decode, nor refuse, what follows. */
const RAW_PREFIXES = [SEARCH_PREFIX, SNAPSHOT_PREFIX, OLDER_HISTORY_PREFIX, DEPRECATED_HISTORY_PREFIX]
/** Long enough for a header full of user agent and hints, short enough to bound memory. */
const REQUEST_TIMEOUT_MS = 30_000

/** Mounts the surfaces. Nothing listens yet. */
export function buildApp(deps: AppDeps): FastifyInstance {
  const atRoot = createBasePath(Object.values(deps.urls))
  const app = Fastify({
    // The log has what went wrong; a line per request would only say what the tables say better.
    logger: false,
    serverFactory: (handler) =>
      deps.serve(
        (request, response) => {
          request.url = atRoot(request.url ?? '/')
          handler(request, response)
        },
        { requestTimeoutMs: REQUEST_TIMEOUT_MS },
      ),
    // Idle sockets of visitors are closed at a stop, so that it need not wait for them.
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 4_096 },
    rewriteUrl: (request) => {
      const url = request.url ?? '/'
      const prefix = RAW_PREFIXES.find((known) => url.startsWith(known))
      return prefix === undefined ? url : `${prefix}raw`
    },
    frameworkErrors: (_error, _request, reply) => void sendNotFound(reply),
    clientErrorHandler: refuseUnreadable,
  })
  app.server.on('upgrade', (request, socket, head) => {
    request.url = atRoot(request.url ?? '/')
    deps.upgrade(request, socket, head)
  })
  app.setNotFoundHandler((_request, reply) => sendNotFound(reply))
  // Before the body is read: of what no route matches it cannot be wrong.
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404) sendNotFound(reply)
    else done()
  })
  app.setErrorHandler(errorDoor(deps.log))

  app.get('/health', (_request, reply) => sendJson(reply, 200, { status: 'ok' }))
  const mount = surfaceMount(app, deps.urls)
  mount(deps.urls.ingest, ingestRoutes(deps.ingest))
  mount(deps.urls.agent, agentScriptRoutes(deps.agentScript))
  mount(deps.urls.management, referenceRoutes({ serviceName: deps.management.serviceName, urls: deps.urls }))
  mount(deps.urls.history, historyRoutes(deps.history))
  mount(deps.urls.history, olderHistoryRoutes(deps.history))
  mount(deps.urls.management, managementRoutes(deps.management))
  mount(deps.urls.management, accountRoutes(deps.account))
  mount(deps.urls.management, dashboardRoutes(deps.dashboard))
  if (deps.demo) mount(deps.urls.agent, demoRoutes(deps.demo))
  return app
}

/** When the public hosts differ, a path of one surface is unknown on the host of another. */
function surfaceMount(app: FastifyInstance, urls: PublicUrls) {
  const hostOf = (url: string): string => new URL(url).host
  const shared = new Set(Object.values(urls).map(hostOf)).size === 1
  return (url: string, routes: FastifyPluginAsync): void => {
    app.register(async (scope) => {
      if (!shared)
        scope.addHook('onRoute', (route) => {
          // A pattern, because a client may write the name in any case.
          route.constraints = {
            ...route.constraints,
            host: new RegExp(`^${RegExp.escape(hostOf(url))}$`, 'i'),
          }
        })
      await scope.register(routes)
    })
  }
}

/** The one place where an exception becomes an answer: a refusal is told, anything else only logged. */
const errorDoor =
  (log: Logger) =>
  (error: FastifyError | Refusal | Error, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    if (error instanceof Refusal) {
      log.debug({ path: pathOf(request), reason: error.message, cause: error.cause }, 'refused')
      return sendJson(reply, error.status, { error: error.message })
    }
    const status = 'statusCode' in error ? (error.statusCode ?? 500) : 500
    if (status === 413) return sendJson(reply, 413, { error: 'body is larger than 512 KB' })
    if (status < 500) return sendJson(reply, status, { error: 'the request could not be read' })
    log.error({ path: pathOf(request), err: error }, 'request failed')
    return sendJson(reply, 500, { error: 'internal server error' })
  }

/** Without its query, which carries keys. */
const pathOf = (request: FastifyRequest): string => request.originalUrl.split('?', 1)[0] ?? ''
