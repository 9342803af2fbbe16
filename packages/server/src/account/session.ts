import type { SESSION_OPERATIONS, SessionAnswer } from '@inkling/contract/account'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ACCESS_TOKEN_SECONDS } from '../auth/access-token.ts'
import { endSession, type OpenSession, refreshSession, startSession } from '../auth/sessions.ts'
import { NO_USER_HASH, verifyPassword } from '../auth/users.ts'
import { AppError } from '../lib/errors.ts'
import type { Store } from '../store/store.ts'
import { type UserRow, userStore } from '../store/users/users.ts'
import type { AccountDeps, Handlers } from './handler.ts'

export const sessionOperations: Handlers<typeof SESSION_OPERATIONS> = {
  login: async ({ body, http: { request, reply } }, deps) => {
    const { store, throttle, now } = deps
    const address = deps.clientAddress(request.ip, request.headers['x-forwarded-for']?.toString())
    const email = body.email.toLowerCase()
    const user = await throttle.attempt(address, email, () => checkPassword(store, email, body.password))
    if (!user) throw new AppError('INK_WRONG_PASSWORD')
    const session = await startSession(store, user, now())
    setRefreshCookie(reply, deps.baseUrl, session, now())
    return presentSession(session, deps)
  },

  refreshSession: async ({ http: { request, reply } }, deps) => {
    const session = await refreshSession(deps.store, refreshCookie(request) ?? '', deps.now())
    if (!session) {
      clearRefreshCookie(reply, deps.baseUrl)
      throw new AppError('INK_SESSION_ENDED')
    }
    setRefreshCookie(reply, deps.baseUrl, session, deps.now())
    return presentSession(session, deps)
  },

  logout: async ({ http: { request, reply } }, { store, baseUrl, now }) => {
    clearRefreshCookie(reply, baseUrl)
    if (!(await endSession(store, refreshCookie(request) ?? '', now())))
      throw new AppError('INK_SESSION_ENDED')
  },

  getMe: ({ caller: { id, email, role } }) => Promise.resolve({ id, email, role }),
}

/** Takes as long for an unknown e-mail address, so that the time does not tell which ones exist. */
async function checkPassword(store: Store, email: string, password: string): Promise<UserRow | undefined> {
  const user = await userStore(store.reads).findByEmail(email)
  const matches = await verifyPassword(password, user?.password_hash ?? NO_USER_HASH)
  return matches ? user : undefined
}

async function presentSession(
  { sessionId, user }: OpenSession,
  { tokens }: Pick<AccountDeps, 'tokens'>,
): Promise<SessionAnswer> {
  return {
    access_token: await tokens.issue({ userId: user.id, sessionId }),
    expires_in: ACCESS_TOKEN_SECONDS,
    user: { id: user.id, email: user.email, role: user.role },
  }
}

const NAME = 'inkling_refresh'
/** Browsers send the cookie to these paths only. */
const PATH = '/account/session'

/** The refresh token of the request's cookie; undefined without one. */
export function refreshCookie({ headers }: FastifyRequest): string | undefined {
  for (const pair of (headers.cookie ?? '').split(';')) {
    const [name, value] = pair.trim().split('=', 2)
    if (name === NAME && value) return value
  }
  return undefined
}

/** Neither scripts nor other sites can read or send the cookie. */
function setRefreshCookie(
  reply: FastifyReply,
  baseUrl: string,
  { refreshToken, expiresAtMs }: Pick<OpenSession, 'refreshToken' | 'expiresAtMs'>,
  nowMs: number,
): void {
  const seconds = Math.floor((expiresAtMs - nowMs) / 1_000)
  reply.header('set-cookie', cookie(baseUrl, refreshToken.text, seconds))
}

function clearRefreshCookie(reply: FastifyReply, baseUrl: string): void {
  reply.header('set-cookie', cookie(baseUrl, '', 0))
}

function cookie(baseUrl: string, value: string, seconds: number): string {
  const { protocol, pathname } = new URL(baseUrl)
  const path = `${pathname.replace(/\/+$/, '')}${PATH}`
  const secure = protocol === 'https:' ? '; Secure' : ''
  return `${NAME}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`
}
