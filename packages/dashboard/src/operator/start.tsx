import '@mantine/core/styles.css'
import '@mantine/notifications/styles.css'
import './dashboard.css'
import type { SignedInUser } from '@inkling/contract/account'
import { createTheme, localStorageColorSchemeManager, MantineProvider } from '@mantine/core'
import { Notifications, notifications } from '@mantine/notifications'
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { createApi } from './api/api.ts'
import { ApiError } from './api/request.ts'
import { isSignedOut, type Session } from './api/session.ts'
import { ApiContext } from './api/use-api.ts'
import { forgetFinds, thisBrowser } from './find/recent-finds.ts'
import { styleNonce } from './installation.ts'
import { createDashboardRouter } from './router.tsx'

const colorSchemes = localStorageColorSchemeManager({ key: 'inkling-color-scheme' })

const theme = createTheme({
  primaryColor: 'indigo',
  // White text on Mantine’s lighter default has too little contrast.
  primaryShade: { light: 7, dark: 8 },
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace',
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  autoContrast: true,
  components: {
    // Its close button has an icon only.
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close' } } },
    // On Mantine’s own colour links have too little contrast.
    Table: {
      defaultProps: {
        highlightOnHoverColor: 'light-dark(var(--mantine-color-gray-0), var(--mantine-color-dark-6))',
      },
    },
  },
})

/** Renders the dashboard into the page. */
export function start(): void {
  const root = document.getElementById('root')
  if (!root) throw new Error('the page has no #root')
  const base = new URL(document.baseURI)
  const api = createApi(new URL('..', base))
  const queries = createQueries(() => router.invalidate())
  const router = createDashboardRouter({ api, queries, basePath: base.pathname })
  onNextUser(api.session, (user) => {
    queries.clear()
    forgetFinds(thisBrowser)
    if (user === undefined) return
    notifications.show({ message: `You are signed in as ${user.email} now.` })
    // What was typed for the last user is lost anyway, so nothing asks to stay.
    void router.navigate({ to: '/', ignoreBlocker: true })
  })
  const nonce = styleNonce()
  createRoot(root).render(
    <StrictMode>
      <MantineProvider
        theme={theme}
        defaultColorScheme="auto"
        colorSchemeManager={colorSchemes}
        getStyleNonce={() => nonce}
      >
        <Notifications position="bottom-right" />
        <ApiContext value={api}>
          <QueryClientProvider client={queries}>
            <RouterProvider router={router} />
          </QueryClientProvider>
        </ApiContext>
      </MantineProvider>
    </StrictMode>,
  )
}

/** Calls back once a user who was signed in no longer is. Who comes next must see no cached data of theirs. */
function onNextUser(session: Session, left: (next: SignedInUser | undefined) => void): void {
  let last = session.user()
  session.subscribe(() => {
    const next = session.user()
    const isOther = last !== undefined && last.id !== next?.id
    last = next
    if (isOther) left(next)
  })
}

/** @param onSignedOut called when a response shows that the session has ended */
function createQueries(onSignedOut: () => Promise<void>): QueryClient {
  const onError = (error: Error): void => {
    if (isSignedOut(error)) void onSignedOut()
  }
  return new QueryClient({
    queryCache: new QueryCache({ onError }),
    mutationCache: new MutationCache({ onError }),
    defaultOptions: {
      // The server may be on this machine, which has no need of a network to reach it.
      mutations: { networkMode: 'always' },
      queries: {
        networkMode: 'always',
        staleTime: 5_000,
        // Only retry when the server could not be reached: an error response would be the same again.
        retry: (failures, error) => error instanceof ApiError && error.status === 0 && failures < 2,
      },
    },
  })
}
