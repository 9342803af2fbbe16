import { presentTime } from '@inkling/contract'
import type { AccountUser, USER_OPERATIONS } from '@inkling/contract/account'
import { addUser, hashPassword, keepAnOwner } from '../auth/users.ts'
import { AppError } from '../lib/errors.ts'
import { auditStore, sessionStore, type UserRow, userStore } from '../store/users/users.ts'
import type { Handlers } from './handler.ts'

export const userOperations: Handlers<typeof USER_OPERATIONS> = {
  listUsers: async (_call, { store }) => (await userStore(store.reads).list()).map(presentUser),

  addUser: async ({ body, caller }, { store, now }) => {
    const user = { ...body, email: body.email.toLowerCase() }
    const added = await addUser(store, user, { actor: caller.email, nowMs: now() })
    if (!added) throw new AppError('INK_USER_EXISTS')
    return presentUser(added)
  },

  changeUser: async ({ params, body, caller }, { store, now }) => {
    const { role, password } = body
    const password_hash = password === undefined ? undefined : await hashPassword(password)
    const changed = await store.writes.transaction().execute(async (transaction) => {
      const user = await userStore(transaction).change(params.user_id, {
        ...(role !== undefined && { role }),
        ...(password_hash !== undefined && { password_hash }),
      })
      if (!user) throw NO_USER()
      await keepAnOwner(transaction)
      // Somebody who knew the old password can be signed in elsewhere.
      if (password !== undefined) await sessionStore(transaction).removeOfUser(user.id, caller.sessionId)
      await auditStore(transaction).add(
        {
          actor: caller.email,
          action: 'user.change',
          target: user.email,
          detail: {
            ...(role !== undefined && { role }),
            ...(password !== undefined && { password: 'replaced' }),
          },
        },
        now(),
      )
      return user
    })
    return presentUser(changed)
  },

  removeUser: async ({ params, caller }, { store, now }) => {
    await store.writes.transaction().execute(async (transaction) => {
      const user = await userStore(transaction).remove(params.user_id)
      if (!user) throw NO_USER()
      await keepAnOwner(transaction)
      await auditStore(transaction).add(
        { actor: caller.email, action: 'user.remove', target: user.email },
        now(),
      )
    })
  },
}

const presentUser = ({ id, email, role, created_at }: UserRow): AccountUser => ({
  id,
  email,
  role,
  created_at: presentTime(created_at),
})

const NO_USER = (): AppError => new AppError('INK_NOT_FOUND', 'no such user')
