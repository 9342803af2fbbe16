import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  redirect,
} from '@tanstack/react-router'
import type { Api } from './api/api.ts'
import { readEntitySearch } from './pages/entity/read-entity-search.ts'
import { readSearch } from './pages/identifications/read-search.ts'
import { readOverviewSearch } from './pages/overview/read-overview-search.ts'
import { readPatternsSearch } from './pages/patterns/read-patterns-search.ts'
import { Failed } from './parts/failed.tsx'
import { Waiting } from './parts/waiting.tsx'
import { readSearchText, writeSearchText } from './search-text.ts'
import { Frame } from './shell/frame.tsx'
import { Missing } from './shell/missing.tsx'

interface RouterContext {
  api: Api
  queries: QueryClient
}

const root = createRootRouteWithContext<RouterContext>()({ component: Outlet, notFoundComponent: Missing })

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: (search): { to?: string } => (typeof search.to === 'string' ? { to: search.to } : {}),
  component: lazyRouteComponent(() => import('./pages/login/login-page.tsx'), 'LoginPage'),
})

/** Everything that asks for a login. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: Frame,
  async beforeLoad({ context: { api }, location }) {
    if (api.session.user() || (await api.session.renew(undefined))) return
    throw redirect({ to: '/login', search: location.pathname === '/' ? {} : { to: location.publicHref } })
  },
})

const home = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  async beforeLoad({ context: { api, queries } }) {
    const domains = await queries.fetchQuery({
      queryKey: ['listDomains', {}],
      queryFn: () => api.ask('listDomains', {}),
    })
    const [busiest] = domains.toSorted((a, b) => b.identifications_last_day - a.identifications_last_day)
    if (!busiest) throw redirect({ to: '/domains' })
    const params = { domain: busiest.domain }
    if (busiest.last_identification_at === null) throw redirect({ to: '/d/$domain/integration', params })
    throw redirect({ to: '/d/$domain/overview', params })
  },
})

const domain = createRoute({ getParentRoute: () => signedIn, path: '/d/$domain' })

const overview = createRoute({
  getParentRoute: () => domain,
  path: '/overview',
  validateSearch: readOverviewSearch,
  component: lazyRouteComponent(() => import('./pages/overview/overview-page.tsx'), 'OverviewPage'),
})

const identifications = createRoute({
  getParentRoute: () => domain,
  path: '/identifications',
  validateSearch: readSearch,
  component: lazyRouteComponent(
    () => import('./pages/identifications/identifications-page.tsx'),
    'IdentificationsPage',
  ),
})

const identification = createRoute({
  getParentRoute: () => domain,
  path: '/identifications/$requestId',
  component: lazyRouteComponent(
    () => import('./pages/identification/identification-page.tsx'),
    'IdentificationPage',
  ),
})

const entity = createRoute({
  getParentRoute: () => domain,
  path: '/entity',
  validateSearch: readEntitySearch,
  component: lazyRouteComponent(() => import('./pages/entity/entity-page.tsx'), 'EntityPage'),
})

const patterns = createRoute({
  getParentRoute: () => domain,
  path: '/patterns',
  validateSearch: readPatternsSearch,
  component: lazyRouteComponent(() => import('./pages/patterns/patterns-page.tsx'), 'PatternsPage'),
})

const finding = createRoute({
  getParentRoute: () => domain,
  path: '/patterns/$findingId',
  component: lazyRouteComponent(() => import('./pages/patterns/finding-page.tsx'), 'FindingPage'),
})

const integration = createRoute({
  getParentRoute: () => domain,
  path: '/integration',
  component: lazyRouteComponent(() => import('./pages/integration/integration-page.tsx'), 'IntegrationPage'),
})

const webhooks = createRoute({
  getParentRoute: () => domain,
  path: '/webhooks',
  component: lazyRouteComponent(() => import('./pages/webhooks/webhooks-page.tsx'), 'WebhooksPage'),
})

const rules = createRoute({
  getParentRoute: () => domain,
  path: '/rules',
  component: lazyRouteComponent(() => import('./pages/rules/rules-page.tsx'), 'RulesPage'),
})

const privacy = createRoute({
  getParentRoute: () => domain,
  path: '/privacy',
  component: lazyRouteComponent(() => import('./pages/privacy/privacy-page.tsx'), 'PrivacyPage'),
})

const domains = createRoute({
  getParentRoute: () => signedIn,
  path: '/domains',
  component: lazyRouteComponent(() => import('./pages/domains/domains-page.tsx'), 'DomainsPage'),
})

const feeds = createRoute({
  getParentRoute: () => signedIn,
  path: '/feeds',
  component: lazyRouteComponent(() => import('./pages/feeds/feeds-page.tsx'), 'FeedsPage'),
})

const health = createRoute({
  getParentRoute: () => signedIn,
  path: '/health',
  component: lazyRouteComponent(() => import('./pages/health/health-page.tsx'), 'HealthPage'),
})

const users = createRoute({
  getParentRoute: () => signedIn,
  path: '/users',
  component: lazyRouteComponent(() => import('./pages/users/users-page.tsx'), 'UsersPage'),
})

const audit = createRoute({
  getParentRoute: () => signedIn,
  path: '/audit',
  component: lazyRouteComponent(() => import('./pages/audit/audit-page.tsx'), 'AuditPage'),
})

const tree = root.addChildren([
  login,
  signedIn.addChildren([
    home,
    domain.addChildren([
      overview,
      identifications,
      identification,
      entity,
      patterns,
      finding,
      integration,
      webhooks,
      rules,
      privacy,
    ]),
    domains,
    feeds,
    health,
    users,
    audit,
  ]),
])

/** @param basePath path of the dashboard, with slashes around it */
export const createDashboardRouter = ({ basePath, ...context }: RouterContext & { basePath: string }) =>
  createRouter({
    routeTree: tree,
    basepath: basePath,
    context,
    parseSearch: readSearchText,
    stringifySearch: writeSearchText,
    scrollRestoration: true,
    defaultPendingComponent: Waiting,
    defaultErrorComponent: ({ error, reset }) => (
      <Failed error={error instanceof Error ? error : new Error(String(error))} retry={reset} />
    ),
  })

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createDashboardRouter>
  }
}
