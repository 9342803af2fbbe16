import * as auth from '../../auth/sessions.ts'
import { AppError } from '../../lib/errors.ts'
import type { Handler } from '../handler.ts'
import { presentSession } from './login.ts'
import { clearRefreshCookie, refreshCookie, setRefreshCookie } from './refresh-cookie.ts'

export const refreshSession: Handler<'refreshSession'> = async ({ http: { request, reply } }, deps) => {
  const session = await auth.refreshSession(deps.store, refreshCookie(request) ?? '', deps.now())
  if (!session) {
    clearRefreshCookie(reply, deps.baseUrl)
    throw new AppError('INK_SESSION_ENDED')
  }
  setRefreshCookie(reply, deps.baseUrl, session, deps.now())
  return presentSession(session, deps)
}
