import type { IncomingMessage, RequestListener, Server } from 'node:http'
import type { Duplex } from 'node:stream'
import { FOLLOW_PREFIX } from '@inkling/contract'
import Fastify, { type FastifyInstance, type FastifyPluginAsync } from 'fastify'
import type { Logger } from 'pino'
import { accountRoutes } from '../account/account-routes.ts'
import type { AccountDeps } from '../account/handler.ts'
import { type KeyReadDeps, keyReadRoutes } from '../account/key-read-routes.ts'
import { type AssessRoutesDeps, assessRoutes } from '../assess/assess-routes.ts'
import { type AssistantRoutesDeps, assistantRoutes } from '../assistants/assistant-routes.ts'
import { DEPRECATED_HISTORY_PREFIX } from '../compat/deprecated-history-route.ts'
import { OLDER_HISTORY_PREFIX, olderHistoryRoutes } from '../compat/older-history-routes.ts'
import { olderSearchPrefix } from '../compat/older-management-routes.ts'
import type { PublicUrls } from '../composition/config.ts'
import { type DecideRoutesDeps, decideRoutes } from '../decide/decide-routes.ts'
import { type DemoDeps, demoRoutes } from '../demo/demo-routes.ts'
import { type HistoryDeps, historyRoutes, SEARCH_PREFIX } from '../history/history-routes.ts'
import { type IngestDeps, ingestRoutes, SNAPSHOT_PREFIX } from '../ingest/ingest-routes.ts'
import { type LabelRoutesDeps, labelRoutes } from '../labels/label-routes.ts'
import { sendJson, sendNotFound } from '../lib/answers.ts'
import { managementRoutes } from '../management/management-routes.ts'
import type { ManagementDeps } from '../management/mount-route.ts'
import type { ServeOptions } from '../observe/connection/connection-listener.ts'
import { type AgentScriptDeps, agentScriptRoutes } from './agent-script.ts'
import { clientPackages } from './client-packages.ts'
import { type DashboardDeps, dashboardRoutes } from './dashboard-files.ts'
import { embedScript } from './embed-script.ts'
import { answerParserError, createErrorHandler } from './error-handler.ts'
import { type LandingDeps, landingRoutes } from './landing/landing-routes.ts'
import { createPublicPlaces, type PublicPlaces } from './public-places.ts'
import type { Readiness } from './readiness.ts'
import { referenceRoutes } from './reference/reference-routes.ts'
import { securityHeaders } from './security-headers.ts'

export interface AppDeps {
  log: Logger
  /** Whether TLS ends here. */
  endsTls: boolean
  urls: PublicUrls
  ingest: IngestDeps
  history: HistoryDeps
  assess: AssessRoutesDeps
  decide: DecideRoutesDeps
  labels: LabelRoutesDeps
  keyReads: KeyReadDeps
  management: ManagementDeps
  account: AccountDeps
  assistants: AssistantRoutesDeps
  dashboard: DashboardDeps
  landing: LandingDeps
  /** Of the server. */
  version: string
  agentScript: AgentScriptDeps
  /** Undefined without a demo. */
  demo: DemoDeps | undefined
  /** Called for each surface, to measure its requests. */
  watchSurface(surface: string, scope: FastifyInstance): void
  readiness(): Promise<Readiness>
  /** Makes the HTTP server, which observes its connections. */
  serve(handler: RequestListener, options: ServeOptions): Server
  /** Handles requests to open the follow-up channel. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
}

/** Paths whose values are compared as raw bytes: the router must neither decode nor reject them. */
const RAW_PREFIXES = [SEARCH_PREFIX, SNAPSHOT_PREFIX, OLDER_HISTORY_PREFIX, DEPRECATED_HISTORY_PREFIX]
/** Long enough for a body of 512 KB over a slow connection, short enough to bound the open requests. */
const REQUEST_TIMEOUT_MS = 30_000

/**
 * Which surfaces a listener has: all of them, those for visitors and backends, or those for operators and the
 * Management API.
 */
export type Side = 'all' | 'public' | 'admin'

/** Mounts the surfaces of one listener. The caller listens. */
export function buildApp(deps: AppDeps, side: Side = 'all'): FastifyInstance {
  const places = createPublicPlaces(urlsOf(deps.urls, side))
  const bases = new WeakMap<IncomingMessage, string>()
  const app = Fastify({
    // Errors are logged by the error handler; the database records every request that matters.
    logger: false,
    serverFactory: (handler) =>
      deps.serve(
        (request, response) => {
          const { base, url } = places.placeOf(request)
          bases.set(request, base)
          request.url = url
          handler(request, response)
        },
        {
          requestTimeoutMs: REQUEST_TIMEOUT_MS,
          takesUpgrade: (request) => side !== 'admin' && opensChannel(request, places.placeOf(request).url),
        },
      ),
    // A stop closes idle connections instead of waiting for them.
    forceCloseConnections: 'idle',
    // While stopping, a request on an open connection is still answered; then the connection closes.
    return503OnClosing: false,
    routerOptions: { maxParamLength: 4_096 },
    rewriteUrl: (request) => {
      const url = request.url ?? '/'
      const prefix = RAW_PREFIXES.find((known) => url.startsWith(known)) ?? olderSearchPrefix(url)
      return prefix === undefined ? url : `${prefix}raw`
    },
    frameworkErrors: (_error, _request, reply) => void sendNotFound(reply),
    clientErrorHandler: answerParserError,
  })
  app.server.on('upgrade', (request, socket, head) => {
    request.url = places.placeOf(request).url
    deps.upgrade(request, socket, head)
  })
  securityHeaders(app, deps)
  app.setNotFoundHandler((_request, reply) => sendNotFound(reply))
  // Before the body is read: an unknown path is a 404, whatever the body.
  app.addHook('onRequest', (request, reply, done) => {
    if (request.is404) sendNotFound(reply)
    else done()
  })
  app.setErrorHandler(createErrorHandler(deps.log))

  app.get('/health', (_request, reply) => sendJson(reply, 200, { status: 'ok' }))
  app.get('/ready', async (_request, reply) => {
    const status = await deps.readiness()
    return sendJson(reply, status.startsWith('ready') ? 200 : 503, { status })
  })
  const mount = surfaceMount(app, deps, places, (request) => bases.get(request) ?? '')
  if (side !== 'admin') mountPublic(mount, deps)
  if (side !== 'public') mountAdmin(mount, deps)
  return app
}

type Mount = ReturnType<typeof surfaceMount>

/** What visitors' browsers and customers' backends use. */
function mountPublic(mount: Mount, deps: AppDeps): void {
  mount('ingest', deps.urls.ingest, ingestRoutes(deps.ingest))
  mount('agent', deps.urls.agent, agentScriptRoutes(deps.agentScript))
  mount('agent', deps.urls.agent, embedScript)
  mount('history', deps.urls.history, historyRoutes(deps.history))
  mount('assess', deps.urls.history, assessRoutes(deps.assess))
  mount('decide', deps.urls.history, decideRoutes(deps.decide))
  mount('labels', deps.urls.history, labelRoutes(deps.labels))
  mount('history', deps.urls.history, keyReadRoutes(deps.keyReads))
  mount('history', deps.urls.history, olderHistoryRoutes(deps.history))
  if (deps.demo) mount('demo', deps.urls.agent, demoRoutes(deps.demo))
}

/** What operators use, and the API that changes a domain. */
function mountAdmin(mount: Mount, deps: AppDeps): void {
  const { serviceName } = deps.management
  mount(
    'reference',
    deps.urls.management,
    referenceRoutes({ version: deps.version, serviceName, urls: deps.urls }),
  )
  mount('reference', deps.urls.management, clientPackages)
  mount('reference', deps.urls.management, landingRoutes(deps.landing))
  mount('management', deps.urls.management, managementRoutes(deps.management))
  mount('account', deps.urls.management, accountRoutes(deps.account))
  mount('assistants', deps.urls.management, assistantRoutes(deps.assistants))
  mount('dashboard', deps.urls.management, dashboardRoutes(deps.dashboard))
}

/** Whether a request asks for a WebSocket where there is one. */
const opensChannel = ({ method, headers }: IncomingMessage, path: string): boolean =>
  method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket' && path.startsWith(FOLLOW_PREFIX)

/** The public URLs of a listener's surfaces. */
function urlsOf({ management, ...ofPublic }: PublicUrls, side: Side): string[] {
  if (side === 'admin') return [management]
  return side === 'public' ? Object.values(ofPublic) : [management, ...Object.values(ofPublic)]
}

/** Mounts a surface where its public URL is. At the root it answers as well, for proxies that take its path off. */
function surfaceMount(
  app: FastifyInstance,
  { watchSurface }: AppDeps,
  places: PublicPlaces,
  baseOf: (request: IncomingMessage) => string,
) {
  return (surface: string, publicUrl: string, routes: FastifyPluginAsync): void => {
    const host = places.hostOf(publicUrl)
    const ownBase = places.baseOf(publicUrl)
    app.register(async (scope) => {
      watchSurface(surface, scope)
      const mounted: string[] = []
      scope.addHook('onRoute', (route) => {
        mounted.push(route.url)
        if (host) route.constraints = { ...route.constraints, host }
      })
      scope.addHook('onRequest', (request, reply, done) => {
        const base = baseOf(request.raw)
        if (base === '' || base === ownBase) done()
        else sendNotFound(reply)
      })
      await scope.register(routes)
      for (const route of mounted) places.checkRoute(publicUrl, route)
    })
  }
}
