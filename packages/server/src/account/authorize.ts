import { type AccountOperation, isDomainRight, rightsAnywhere, rightsIn } from '@inkling/contract/account'
import type { FastifyRequest } from 'fastify'
import { withDomainRoles } from '../auth/domain-roles.ts'
import { bearerToken } from '../auth/keys.ts'
import { AppError } from '../lib/errors.ts'
import type { Store } from '../store/store.ts'
import { sessionStore } from '../store/users/users.ts'
import { REFRESH_COOKIE, readCookie } from './cookies.ts'
import type { AccountCaller, AccountDeps, SignedInCaller } from './handler.ts'
import type { GivenRequest } from './parse-request.ts'

/** How long a proof of identity counts: somebody who finds an open browser later gets no keys and no data. */
const PROOF_MS = 300_000

/**
 * Checks that a request may use an operation, and returns its user. The session is read from the database each time,
 * so that a change takes effect at once.
 * @throws AppError with status 401 without the credential, otherwise like `admit`; 403 without a recent proof
 */
export async function authorize(
  operation: Pick<AccountOperation, 'access' | 'proof' | 'path'>,
  request: FastifyRequest,
  deps: Pick<AccountDeps, 'store' | 'tokens' | 'baseUrl' | 'now'>,
): Promise<AccountCaller | undefined> {
  const { access, proof } = operation
  if (access === 'anyone' || access === 'cookie') {
    // A browser also sends the cookie for a page of another origin.
    checkOrigin(request, deps.baseUrl)
    if (access === 'cookie' && readCookie(request, REFRESH_COOKIE) === undefined)
      throw new AppError('INK_SESSION_ENDED', 'no refresh cookie')
    return undefined
  }
  const signedIn = await signedInCaller(request, deps)
  if (!signedIn) throw new AppError('INK_INVALID_TOKEN')
  const caller = await admit(deps.store, signedIn, operation, request)
  if (proof === 'recent' && deps.now() - caller.provenAtMs >= PROOF_MS) throw new AppError('INK_PROOF_NEEDED')
  return caller
}

/**
 * The one place that decides who may use an operation, whichever way they come: by its route, through an assistant, or
 * by confirming what one proposed. The roles are read each time, so that a change takes effect at once.
 * @throws AppError `INK_NOT_FOUND` in a domain where the user has no right at all, exactly as if there were no such
 * domain, `INK_ROLE` without the right, `INK_OWNER_ONLY`
 */
export async function admit(
  { reads }: Pick<Store, 'reads'>,
  signedIn: SignedInCaller,
  { access, path }: Pick<AccountOperation, 'access' | 'path'>,
  given: Pick<GivenRequest, 'params'>,
): Promise<AccountCaller> {
  const holder = await withDomainRoles(reads, signedIn)
  const isInDomain = path.includes('{domain}')
  const rights = isInDomain ? rightsIn(holder, domainIn(given)) : rightsAnywhere(holder)
  if (isInDomain && rights.size === 0) throw new AppError('INK_NOT_FOUND', 'no such domain')
  if (access === 'owner' && holder.role !== 'owner') throw new AppError('INK_OWNER_ONLY')
  if (isDomainRight(access) && !rights.has(access)) throw new AppError('INK_ROLE')
  if (access === 'anyone' || access === 'cookie') throw new AppError('INK_INVALID_TOKEN')
  return { ...holder, rights }
}

function domainIn({ params }: Pick<GivenRequest, 'params'>): string {
  const { domain } = params as { domain?: unknown }
  if (typeof domain !== 'string') throw new Error('the path has no domain')
  return domain
}

/**
 * The second part of the check, once the body is read: some fields need more than the operation does.
 * @throws AppError `INK_ROLE`, `INK_OWNER_ONLY`
 */
export function admitFields(
  { fieldAccess = {} }: Pick<AccountOperation, 'fieldAccess'>,
  body: unknown,
  { role, rights }: AccountCaller,
): void {
  if (typeof body !== 'object' || body === null) return
  for (const [field, needed] of Object.entries(fieldAccess)) {
    if ((body as Record<string, unknown>)[field] === undefined) continue
    if (needed === 'owner' ? role !== 'owner' : !rights.has(needed))
      throw new AppError(
        needed === 'owner' ? 'INK_OWNER_ONLY' : 'INK_ROLE',
        `${field}: your role does not allow this`,
      )
  }
}

async function signedInCaller(
  { headers }: FastifyRequest,
  { store, tokens, now }: Pick<AccountDeps, 'store' | 'tokens' | 'now'>,
): Promise<SignedInCaller | undefined> {
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
