import type {
  AccountAnswer,
  AccountOperationName,
  SessionAnswer,
  SignedInUser,
} from '@inkling/contract/account'
import { ApiError, errorOf, httpRequest, type RequestOf, send } from './request.ts'

/** Name of the browser-wide lock under which tabs take turns to refresh the session. */
const LOCK = 'inkling-session'

export interface Session {
  /** Undefined while nobody is signed in. */
  user(): SignedInUser | undefined
  /** Who is signed in, with the access token of this tab. */
  current(): SessionAnswer | undefined
  /** Calls the listener when a user signs in or out, or when the session expires. */
  subscribe(listener: () => void): () => void
  /**
   * Calls an operation that needs no access token, such as a step of a sign-in. If it opens a session, the user is
   * signed in afterwards.
   * @throws ApiError
   */
  step<Name extends AccountOperationName>(name: Name, request: RequestOf<Name>): Promise<AccountAnswer<Name>>
  /**
   * Gets a new access token with the refresh cookie, which all tabs share.
   * @param spent the session whose token was rejected; if it has been replaced in the meantime, nothing is sent
   * @returns false when the session has ended, or is somebody else's by now, who has asked for nothing
   */
  renew(spent: SessionAnswer | undefined): Promise<boolean>
  signOut(): Promise<void>
}

/** The session of this tab. The access token stays in memory; scripts cannot read the refresh cookie. */
export function createSession(root: URL): Session {
  let open: SessionAnswer | undefined
  const listeners = new Set<() => void>()
  const set = (next: SessionAnswer | undefined): void => {
    const changed = open?.user.id !== next?.user.id || open?.user.role !== next?.user.role
    open = next
    if (changed) for (const listener of listeners) listener()
  }

  async function refresh(): Promise<void> {
    const { url, init } = httpRequest(root, 'refreshSession', {})
    const response = await send(url, init)
    if (response.ok) set(await response.json())
    else if (response.status === 401) set(undefined)
    else throw await errorOf(response)
  }

  return {
    user: () => open?.user,
    current: () => open,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async step(name, request) {
      const { url, init } = httpRequest(root, name, request)
      const response = await send(url, init)
      if (!response.ok) throw await errorOf(response)
      const answer = response.status === 204 ? undefined : await response.json()
      if (isSession(answer)) set(answer)
      return answer
    },
    renew: (spent) =>
      // A refresh replaces the cookie; a replaced one works for a minute only, so refreshes take turns.
      oneAtATime(async () => {
        if (open === undefined || open.access_token === spent?.access_token) await refresh()
        return open !== undefined && (spent === undefined || spent.user.id === open.user.id)
      }),
    async signOut() {
      const { url, init } = httpRequest(root, 'logout', {})
      const response = await oneAtATime(() => send(url, init))
      // 401: the session has already ended.
      if (!response.ok && response.status !== 401) throw await errorOf(response)
      set(undefined)
    },
  }
}

const isSession = (answer: unknown): answer is SessionAnswer =>
  typeof answer === 'object' && answer !== null && 'access_token' in answer

let last: Promise<unknown> = Promise.resolve()

/** Across all tabs where the browser has Web Locks (HTTPS only), otherwise within this tab. */
function oneAtATime<Result>(task: () => Promise<Result>): Promise<Result> {
  if (navigator.locks !== undefined) return navigator.locks.request(LOCK, task)
  const next = last.then(task, task)
  last = next.catch(() => undefined)
  return next
}

/** Whether an error means that the session has ended. */
export const isSignedOut = (error: unknown): boolean => error instanceof ApiError && error.status === 401
