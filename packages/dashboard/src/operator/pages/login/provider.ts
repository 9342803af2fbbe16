import type { Session } from '../../api/session.ts'

/** Where to go after the provider has sent the browser back, for this tab. */
const KEY = 'inkling-after-login'

interface ProviderStart {
  /** The page that was asked for. */
  to: string | undefined
  /** Whether the provider should ask for credentials although somebody is signed in there. */
  fresh?: boolean
}

/** Leaves for the identity provider. */
export async function startProviderLogin(
  session: Session,
  { to, fresh = false }: ProviderStart,
): Promise<void> {
  const { url } = await session.step('startProviderLogin', { body: { fresh } })
  if (to === undefined) sessionStorage.removeItem(KEY)
  else sessionStorage.setItem(KEY, to)
  location.assign(url)
}

/** The page that was asked for before the browser left; forgets it. */
export function pageAfterProvider(): string | undefined {
  const to = sessionStorage.getItem(KEY) ?? undefined
  sessionStorage.removeItem(KEY)
  return to
}
