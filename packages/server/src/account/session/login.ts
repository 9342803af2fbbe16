import type { SessionAnswer } from '@inkling/contract/account'
import { ACCESS_TOKEN_SECONDS } from '../../auth/access-token.ts'
import { NO_USER_HASH, verifyPassword } from '../../auth/password.ts'
import { type OpenSession, startSession } from '../../auth/sessions.ts'
import { addressLine } from '../../lib/address-line.ts'
import { AppError } from '../../lib/errors.ts'
import type { Store } from '../../store/store.ts'
import { type UserRow, userStore } from '../../store/users/users.ts'
import type { AccountDeps } from '../account-deps.ts'
import type { Handler } from '../handler.ts'
import { setRefreshCookie } from './refresh-cookie.ts'

export const login: Handler<'login'> = async ({ body, http: { request, reply } }, deps) => {
  const { store, throttle, now } = deps
  const address = deps.clientAddress(request.ip, request.headers['x-forwarded-for']?.toString())
  const email = body.email.toLowerCase()
  const user = await throttle.attempt(addressLine(address), email, () =>
    checkPassword(store, email, body.password),
  )
  if (!user) throw new AppError('INK_WRONG_PASSWORD')
  const session = await startSession(store, user, now())
  setRefreshCookie(reply, deps.baseUrl, session, now())
  return presentSession(session, deps)
}

/** Takes as long for an address that nobody has. */
async function checkPassword(store: Store, email: string, password: string): Promise<UserRow | undefined> {
  const user = await userStore(store.reads).findByEmail(email)
  const matches = await verifyPassword(password, user?.password_hash ?? NO_USER_HASH)
  return matches ? user : undefined
}

export async function presentSession(
  { sessionId, user }: OpenSession,
  { tokens }: Pick<AccountDeps, 'tokens'>,
): Promise<SessionAnswer> {
  return {
    access_token: await tokens.issue({ userId: user.id, sessionId }),
    expires_in: ACCESS_TOKEN_SECONDS,
    user: { id: user.id, email: user.email, role: user.role },
  }
}
