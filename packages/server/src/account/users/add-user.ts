import * as auth from '../../auth/add-user.ts'
import { AppError } from '../../lib/errors.ts'
import type { Handler } from '../handler.ts'
import { presentUser } from './present-user.ts'

export const addUser: Handler<'addUser'> = async ({ body, caller }, { store, now }) => {
  const user = { ...body, email: body.email.toLowerCase() }
  const added = await auth.addUser(store, user, { actor: caller.email, nowMs: now() })
  if (!added) throw new AppError('INK_USER_EXISTS')
  return presentUser(added)
}
