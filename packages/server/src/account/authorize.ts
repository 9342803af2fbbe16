import type { Access } from '@inkling/contract/account'
import type { FastifyRequest } from 'fastify'
import { bearerToken } from '../lib/bearer-token.ts'
import { AppError } from '../lib/errors.ts'
import { sessionStore } from '../store/users/users.ts'
import type { AccountDeps } from './account-deps.ts'
import type { Caller } from './handler.ts'
import { refreshCookie } from './session/refresh-cookie.ts'
import { refuseOtherOrigins } from './session/refuse-other-origins.ts'

/**
 * Lets a request pass that may use an operation, and tells whose it is. What a user may do is read from the
 * database each time, so that the end of a session and another role count at once.
 * @throws AppError: 401 without the credential, 403 without the role
 */
export async function authorize(
  access: Access,
  request: FastifyRequest,
  deps: Pick<AccountDeps, 'store' | 'tokens' | 'baseUrl' | 'now'>,
): Promise<Caller | undefined> {
  if (access === 'anyone' || access === 'cookie') {
    // These live on a cookie, which a browser would also send for a page that is not ours.
    refuseOtherOrigins(request, deps.baseUrl)
    if (access === 'cookie' && refreshCookie(request) === undefined)
      throw new AppError('INK_SESSION_ENDED', 'no refresh cookie')
    return undefined
  }
  const caller = await callerOf(request, deps)
  if (!caller) throw new AppError('INK_INVALID_TOKEN')
  if (access === 'owner' && caller.role !== 'owner') throw new AppError('INK_OWNER_ONLY')
  return caller
}

async function callerOf(
  { headers }: FastifyRequest,
  { store, tokens, now }: Pick<AccountDeps, 'store' | 'tokens' | 'now'>,
): Promise<Caller | undefined> {
  const token = bearerToken(headers.authorization)
  const subject = token === undefined ? undefined : await tokens.read(token)
  if (!subject) return undefined
  const user = await sessionStore(store.reads).user(subject.sessionId, subject.userId, now())
  return user && { ...user, sessionId: subject.sessionId }
}
