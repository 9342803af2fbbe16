import type { SESSION_OPERATIONS, SessionAnswer } from '@inkling/contract/account'
import type { FastifyReply } from 'fastify'
import { ACCESS_TOKEN_SECONDS } from '../auth/access-token.ts'
import { endSession, type OpenSession, refreshSession } from '../auth/sessions.ts'
import { AppError } from '../lib/errors.ts'
import { clearCookie, REFRESH_COOKIE, readCookie, setCookie } from './cookies.ts'
import type { AccountDeps, Handlers } from './handler.ts'

export const sessionOperations: Handlers<typeof SESSION_OPERATIONS> = {
  refreshSession: async ({ http: { request, reply } }, deps) => {
    const { store, refreshKey: key, baseUrl, now } = deps
    const token = readCookie(request, REFRESH_COOKIE) ?? ''
    const session = await refreshSession(store, token, { key, nowMs: now() })
    if (!session) {
      clearCookie(reply, baseUrl, REFRESH_COOKIE)
      throw new AppError('INK_SESSION_ENDED')
    }
    return presentSession(session, reply, deps)
  },

  logout: async ({ http: { request, reply } }, { store, baseUrl, now }) => {
    clearCookie(reply, baseUrl, REFRESH_COOKIE)
    if (!(await endSession(store, readCookie(request, REFRESH_COOKIE) ?? '', now())))
      throw new AppError('INK_SESSION_ENDED')
  },

  getMe: ({ caller: { id, email, role } }) => Promise.resolve({ id, email, role }),
}

/** Sets the refresh cookie and answers the access token. */
export async function presentSession(
  { sessionId, user, refreshToken, expiresAtMs }: OpenSession,
  reply: FastifyReply,
  { tokens, baseUrl, now }: Pick<AccountDeps, 'tokens' | 'baseUrl' | 'now'>,
): Promise<SessionAnswer> {
  const seconds = Math.floor((expiresAtMs - now()) / 1_000)
  setCookie(reply, baseUrl, REFRESH_COOKIE, { value: refreshToken.text, seconds })
  return {
    access_token: await tokens.issue({ userId: user.id, sessionId }),
    expires_in: ACCESS_TOKEN_SECONDS,
    user: { id: user.id, email: user.email, role: user.role },
  }
}
