import { hashPassword } from '../../auth/password.ts'
import { auditStore } from '../../store/users/audit.ts'
import { sessionStore, userStore } from '../../store/users/users.ts'
import type { Handler } from '../handler.ts'
import { keepAnOwner, NO_USER } from './keep-an-owner.ts'
import { presentUser } from './present-user.ts'

export const changeUser: Handler<'changeUser'> = async ({ params, body, caller }, { store, now }) => {
  const { role, password } = body
  const password_hash = password === undefined ? undefined : await hashPassword(password)
  const changed = await store.writes.transaction().execute(async (transaction) => {
    const user = await userStore(transaction).change(params.user_id, {
      ...(role !== undefined && { role }),
      ...(password_hash !== undefined && { password_hash }),
    })
    if (!user) throw NO_USER()
    await keepAnOwner(transaction)
    // Whoever knew the old password may be signed in elsewhere.
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
}
