import { endSession } from '../../auth/sessions.ts'
import { AppError } from '../../lib/errors.ts'
import type { Handler } from '../handler.ts'
import { clearRefreshCookie, refreshCookie } from './refresh-cookie.ts'

export const logout: Handler<'logout'> = async ({ http: { request, reply } }, { store, baseUrl, now }) => {
  clearRefreshCookie(reply, baseUrl)
  if (!(await endSession(store, refreshCookie(request) ?? '', now())))
    throw new AppError('INK_SESSION_ENDED')
}
