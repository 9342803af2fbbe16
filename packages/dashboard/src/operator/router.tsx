import { Anchor } from '@mantine/core'
import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  Link,
  Outlet,
  redirect,
  useRouter,
} from '@tanstack/react-router'
import type { Api } from './api/api.ts'
import type { Needs } from './api/rights.ts'
import { PAGES, type Page } from './pages.ts'
import { Empty, ErrorAlert, Loading } from './parts/feedback.tsx'
import { lazyPage } from './parts/lazy-page.tsx'
import { formatQuery, parseQuery } from './search-params.ts'
import { Frame } from './shell/frame.tsx'

interface RouterContext {
  api: Api
  queries: QueryClient
}

const NotFound = () => (
  <Empty title="Page not found">
    The dashboard has no page at this address.{' '}
    <Anchor inherit underline="always" renderRoot={(props) => <Link {...props} to="/" />}>
      Go to the start page
    </Anchor>
  </Empty>
)

/** What could not be loaded is loaded again, the session included. */
function Failed({ error }: { error: unknown }) {
  const router = useRouter()
  return (
    <ErrorAlert
      error={error instanceof Error ? error : new Error(String(error))}
      retry={() => void router.invalidate()}
    />
  )
}

const root = createRootRouteWithContext<RouterContext>()({ component: Outlet, notFoundComponent: NotFound })

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  validateSearch: (search): { to?: string } => (typeof search.to === 'string' ? { to: search.to } : {}),
  component: lazyPage(() => import('./pages/login/login-page.tsx'), 'LoginPage'),
})

/** Where the identity provider sends the browser back to. */
const providerReturn = createRoute({
  getParentRoute: () => root,
  path: '/login/return',
  component: lazyPage(() => import('./pages/login/provider-return-page.tsx'), 'ProviderReturnPage'),
})

const invitation = createRoute({
  getParentRoute: () => root,
  path: '/invitation',
  component: lazyPage(() => import('./pages/invitation/invitation-page.tsx'), 'InvitationPage'),
})

/** Everything that needs a session. */
const signedIn = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: Frame,
  async beforeLoad({ context: { api }, location }) {
    if (api.session.user() || (await api.session.renew(undefined))) return
    throw redirect({ to: '/login', search: location.pathname === '/' ? {} : { to: location.publicHref } })
  },
})

/** Redirects to the busiest domain, or to the next step of the setup. */
const home = createRoute({
  getParentRoute: () => signedIn,
  path: '/',
  async beforeLoad({ context: { api, queries } }) {
    const domains = await queries.fetchQuery({
      queryKey: ['listDomains', {}],
      queryFn: () => api.call('listDomains', {}),
    })
    const [busiest] = domains.toSorted((a, b) => b.identifications_last_day - a.identifications_last_day)
    if (!busiest) throw redirect({ to: '/domains' })
    const params = { domain: busiest.domain }
    if (busiest.last_identification_at === null) throw redirect({ to: '/d/$domain/integration', params })
    if (!busiest.rights.includes('visits:read')) throw redirect({ to: '/d/$domain/integration', params })
    throw redirect({ to: '/d/$domain/overview', params })
  },
})

/** Any other address, within the frame. */
const nowhere = createRoute({ getParentRoute: () => signedIn, path: '$', component: NotFound })

const routeOf = <Path extends string, Search>(page: Page) =>
  createRoute({
    getParentRoute: () => signedIn,
    path: page.path as Path,
    validateSearch: (search: Record<string, unknown>) => (page.search?.(search) ?? {}) as Search,
    staticData: { title: page.title, needs: page.needs },
    component: page.component,
  })

type SearchOf<Listed> = Listed extends { search: (search: Record<string, unknown>) => infer Search }
  ? Search
  : Record<never, never>

type RoutesOf<List extends readonly Page[]> = {
  [Index in keyof List]: ReturnType<typeof routeOf<List[Index]['path'], SearchOf<List[Index]>>>
}

// `map` would forget which page is where; as a tuple, each route keeps the types of its path and search.
const pages = PAGES.map((page) => routeOf(page)) as unknown as RoutesOf<typeof PAGES>

const tree = root.addChildren([
  login,
  providerReturn,
  invitation,
  signedIn.addChildren([home, ...pages, nowhere]),
])

/** @param basePath path of the dashboard, with a slash at both ends */
export const createDashboardRouter = ({ basePath, ...context }: RouterContext & { basePath: string }) =>
  createRouter({
    routeTree: tree,
    basepath: basePath,
    context,
    parseSearch: parseQuery,
    stringifySearch: formatQuery,
    scrollRestoration: true,
    // What is typed or chosen on a page is about its case, visit, pattern or domain, so another one begins afresh.
    defaultRemountDeps: ({ params }) => params,
    defaultPendingComponent: Loading,
    defaultErrorComponent: Failed,
  })

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createDashboardRouter>
  }
  interface StaticDataRouteOption {
    /** The page's title in the list of pages. */
    title?: string
    /** What it takes to read the page. */
    needs?: Needs | undefined
  }
}
