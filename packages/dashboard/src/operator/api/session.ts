import type { SessionAnswer, SignedInUser } from '@inkling/contract/account'
import { ApiError, reach, refusalOf } from './api-error.ts'
import { httpRequest } from './request-of.ts'

/** Of the browser, so that tabs wait for each other. */
const LOCK = 'inkling-session'

export interface Session {
  /** Undefined while nobody is signed in. */
  user(): SignedInUser | undefined
  accessToken(): string | undefined
  /** Told when somebody signs in or out, also by an expiry. */
  subscribe(listener: () => void): () => void
  signIn(email: string, password: string): Promise<void>
  /**
   * Gets the next access token by the refresh cookie. False when the login has ended.
   * @param spent the token that no longer works; another one that came meanwhile is as good as a new one
   */
  renew(spent: string | undefined): Promise<boolean>
  signOut(): Promise<void>
}

/** The login of this tab: its access token is in memory only, the refresh cookie out of reach of scripts. */
export function createSession(root: URL): Session {
  let open: SessionAnswer | undefined
  const listeners = new Set<() => void>()
  const set = (next: SessionAnswer | undefined): void => {
    const told = open?.user.id !== next?.user.id || open?.user.role !== next?.user.role
    open = next
    if (told) for (const listener of listeners) listener()
  }

  async function exchange(): Promise<boolean> {
    const { url, init } = httpRequest(root, 'refreshSession', {})
    const response = await reach(url, init)
    if (response.ok) set(await response.json())
    else if (response.status === 401) set(undefined)
    else throw await refusalOf(response)
    return response.ok
  }

  return {
    user: () => open?.user,
    accessToken: () => open?.access_token,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async signIn(email, password) {
      const { url, init } = httpRequest(root, 'login', { body: { email, password } })
      const response = await reach(url, init)
      if (!response.ok) throw await refusalOf(response)
      set(await response.json())
    },
    renew: (spent) =>
      // A cookie works once and a second use ends the login, so only one request may carry it.
      oneAtATime(() => (open && open.access_token !== spent ? Promise.resolve(true) : exchange())),
    async signOut() {
      const { url, init } = httpRequest(root, 'logout', {})
      const response = await oneAtATime(() => reach(url, init))
      // 401: the login has ended already.
      if (!response.ok && response.status !== 401) throw await refusalOf(response)
      set(undefined)
    },
  }
}

let last: Promise<unknown> = Promise.resolve()

/** Over all tabs where the browser has locks, which it has not on plain HTTP; else within this tab. */
function oneAtATime<Result>(task: () => Promise<Result>): Promise<Result> {
  if (navigator.locks !== undefined) return navigator.locks.request(LOCK, task)
  const next = last.then(task, task)
  last = next.catch(() => undefined)
  return next
}

/** Whether an error says that the login has ended. */
export const isSignedOut = (error: unknown): boolean => error instanceof ApiError && error.status === 401
