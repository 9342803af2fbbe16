import { auditStore } from '../../store/users/audit.ts'
import { userStore } from '../../store/users/users.ts'
import type { Handler } from '../handler.ts'
import { keepAnOwner, NO_USER } from './keep-an-owner.ts'

export const removeUser: Handler<'removeUser'> = async ({ params, caller }, { store, now }) => {
  await store.writes.transaction().execute(async (transaction) => {
    const user = await userStore(transaction).remove(params.user_id)
    if (!user) throw NO_USER()
    await keepAnOwner(transaction)
    await auditStore(transaction).add(
      { actor: caller.email, action: 'user.remove', target: user.email },
      now(),
    )
  })
}
