import type { Access } from '@inkling/contract/account'
import type { FastifyRequest } from 'fastify'
import { bearerToken } from '../lib/bearer-token.ts'
import { AppError } from '../lib/errors.ts'
import { sessionStore } from '../store/users/users.ts'
import type { AccountDeps, Caller } from './handler.ts'
import { refreshCookie } from './session.ts'

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

/**
 * Refuses what a page of another origin sends. A browser says where a POST comes from by at least one of two
 * headers; a program says nothing, and has no cookies that somebody else could spend.
 * @param baseUrl public address, for a proxy that writes another `Host`
 */
export function refuseOtherOrigins({ headers }: FastifyRequest, baseUrl: string): void {
  const { host, origin } = headers
  // Over plain http it is not sent; where it is, the browser has compared the origins itself.
  const site = headers['sec-fetch-site']
  const isOwn =
    site === undefined
      ? origin === undefined || isHost(origin, [host?.toLowerCase(), new URL(baseUrl).host])
      : site === 'same-origin'
  if (!isOwn) throw new AppError('INK_CROSS_ORIGIN')
}

/** The origin of a sandboxed page is `null`, which is nobody's. */
const isHost = (origin: string, hosts: readonly (string | undefined)[]): boolean =>
  URL.canParse(origin) && hosts.includes(new URL(origin).host)
