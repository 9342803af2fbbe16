import type { AccountOperation } from '@inkling/contract/account'
import type { FastifyRequest } from 'fastify'
import { bearerToken } from '../auth/keys.ts'
import { AppError } from '../lib/errors.ts'
import { sessionStore } from '../store/users/users.ts'
import { REFRESH_COOKIE, readCookie } from './cookies.ts'
import type { AccountCaller, AccountDeps } from './handler.ts'

/** How long a proof of identity counts: somebody who finds an open browser later gets no keys and no data. */
const PROOF_MS = 300_000

/**
 * Checks that a request may use an operation, and returns its user. Session and role are read from the database each
 * time, so that a change takes effect at once.
 * @throws AppError with status 401 without the credential, 403 without the role or a recent proof
 */
export async function authorize(
  { access, proof }: Pick<AccountOperation, 'access' | 'proof'>,
  request: FastifyRequest,
  deps: Pick<AccountDeps, 'store' | 'tokens' | 'baseUrl' | 'now'>,
): Promise<AccountCaller | undefined> {
  if (access === 'anyone' || access === 'cookie') {
    // A browser also sends the cookie for a page of another origin.
    checkOrigin(request, deps.baseUrl)
    if (access === 'cookie' && readCookie(request, REFRESH_COOKIE) === undefined)
      throw new AppError('INK_SESSION_ENDED', 'no refresh cookie')
    return undefined
  }
  const caller = await callerOf(request, deps)
  if (!caller) throw new AppError('INK_INVALID_TOKEN')
  if (access === 'owner' && caller.role !== 'owner') throw new AppError('INK_OWNER_ONLY')
  if (proof === 'recent' && deps.now() - caller.provenAtMs >= PROOF_MS) throw new AppError('INK_PROOF_NEEDED')
  return caller
}

async function callerOf(
  { headers }: FastifyRequest,
  { store, tokens, now }: Pick<AccountDeps, 'store' | 'tokens' | 'now'>,
): Promise<AccountCaller | undefined> {
  const token = bearerToken(headers.authorization)
  const subject = token === undefined ? undefined : await tokens.read(token)
  if (!subject) return undefined
  const user = await sessionStore(store.reads).user(subject.sessionId, subject.userId, now())
  if (!user) return undefined
  const { proven_at: provenAtMs, ...signedIn } = user
  return { ...signedIn, sessionId: subject.sessionId, provenAtMs }
}

/**
 * Rejects requests from pages of other origins. Browsers send `Sec-Fetch-Site` or `Origin` with every POST. A program
 * sends neither, but it has no cookies that another page could misuse
 * (https://cheatsheetseries.owasp.org/cheatsheets/Cross-Site_Request_Forgery_Prevention_Cheat_Sheet.html).
 * @param baseUrl public URL, because a proxy can change `Host`
 * @throws AppError `INK_CROSS_ORIGIN`
 */
export function checkOrigin({ headers }: Pick<FastifyRequest, 'headers'>, baseUrl: string): void {
  const { host, origin } = headers
  // Browsers send it only to secure origins, after comparing the origins themselves.
  const site = headers['sec-fetch-site']
  const isOwn =
    site === undefined
      ? origin === undefined || isHost(origin, [host?.toLowerCase(), new URL(baseUrl).host])
      : site === 'same-origin'
  if (!isOwn) throw new AppError('INK_CROSS_ORIGIN')
}

/** A sandboxed page has the origin `null`, which is not a URL. */
const isHost = (origin: string, hosts: readonly (string | undefined)[]): boolean =>
  URL.canParse(origin) && hosts.includes(new URL(origin).host)
