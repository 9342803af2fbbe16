import { createServer, type RequestListener } from 'node:http'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { type AppDeps, buildApp, type Side } from '../../src/http/app.ts'
import type { IngestDeps } from '../../src/ingest/ingest-routes.ts'

const URL_OF_ALL = 'http://localhost:8080'

/**
 * Every route of the application, or of one of its listeners, as `METHOD /path/:parameter`. No request is sent, so the
 * handlers get no dependencies.
 */
export async function appRoutes(side: Side = 'all'): Promise<string[]> {
  const deps = {
    urls: { history: URL_OF_ALL, management: URL_OF_ALL, ingest: URL_OF_ALL, agent: URL_OF_ALL },
    ingest: {} as IngestDeps,
    history: {},
    assess: {},
    labels: {},
    decide: {},
    keyReads: {},
    management: { serviceName: 'Svc', historyUrl: URL_OF_ALL },
    account: {},
    assistants: { account: { baseUrl: URL_OF_ALL } },
    dashboard: { baseUrl: URL_OF_ALL },
    landing: { demoUrl: () => undefined },
    agentScript: {
      script: '',
      ingestUrl: URL_OF_ALL,
      serverKey: Buffer.alloc(65),
      followUp: true,
      loaded: () => {},
    },
    demo: {
      historyUrl: URL_OF_ALL,
      agentUrl: URL_OF_ALL,
      ingestUrl: URL_OF_ALL,
      demoUrl: `${URL_OF_ALL}/demo`,
      apiKey: 'sec_aaaaaaaa-bbbbbbbb-cccccccc',
      staticDir: '/nowhere',
    },
    serve: (handler: RequestListener) => createServer(handler),
    watchSurface: () => undefined,
    upgrade: () => undefined,
  } satisfies Record<Exclude<keyof AppDeps, 'log' | 'endsTls' | 'version' | 'readiness'>, unknown>
  const app = buildApp(deps as unknown as AppDeps, side)
  const routes = new Set<string>()
  app.addHook('onRoute', ({ method, url }: RouteOptions) => {
    for (const each of [method].flat()) routes.add(`${each} ${url}`)
  })
  await app.ready()
  for (const route of printedRoutes(app)) routes.add(route)
  await app.close()
  // A GET answers HEAD too.
  return [...routes].filter((route) => !route.startsWith('HEAD ')).sort()
}

/** Routes mounted before the `onRoute` hook. The printed tree omits wildcards. */
function printedRoutes(app: FastifyInstance): string[] {
  const branch: string[] = []
  return app
    .printRoutes({ commonPrefix: false })
    .split('\n')
    .flatMap((line) => {
      const [, indent = '', part = '', methods = ''] = /^([│├└─ ]*)(\S+) \(([^)]+)\)$/.exec(line) ?? []
      branch.splice(indent.length / 4 - 1, Infinity, part)
      const url = branch.join('')
      return url.includes('*')
        ? []
        : methods
            .split(', ')
            .filter(Boolean)
            .map((method) => `${method} ${url}`)
    })
}
