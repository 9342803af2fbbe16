import { presentTime } from '@inkling/contract'
import type { AccountUser, DomainRole, USER_OPERATIONS } from '@inkling/contract/account'
import { dropWhatWasLost } from '../auth/domain-roles.ts'
import { removeSecondFactors } from '../auth/second-factors.ts'
import { keepAnOwner } from '../auth/users.ts'
import { AppError } from '../lib/errors.ts'
import { type DomainRow, domainStore } from '../store/domains/domains.ts'
import { memberStore } from '../store/users/domain-members.ts'
import { loginStepStore } from '../store/users/login-steps.ts'
import { passkeyStore } from '../store/users/second-factors.ts'
import { auditStore, sessionStore, type UserRow, userStore } from '../store/users/users.ts'
import type { Handlers } from './handler.ts'

export const userOperations: Handlers<typeof USER_OPERATIONS> = {
  listUsers: async (_call, { store: { reads } }) => {
    const [users, withPasskey, roles, domains] = await Promise.all([
      userStore(reads).list(),
      passkeyStore(reads).userIds(),
      memberStore(reads).roles(),
      domainStore(reads).list(),
    ])
    const rolesOf = Map.groupBy(roles, ({ user_id }) => user_id)
    return users.map((row) => presentUser(row, { withPasskey, roles: rolesOf.get(row.id), domains }))
  },

  changeUser: async ({ params, body: { role }, caller }, { store, now }) => {
    const changed = await store.writes.transaction().execute(async (transaction) => {
      const user = await userStore(transaction).change(params.user_id, { role })
      if (!user) throw NO_USER()
      await keepAnOwner(transaction)
      const by = { actor: caller.email, nowMs: now() }
      await dropWhatWasLost(transaction, user, await domainStore(transaction).list(), by)
      await auditStore(transaction).add(
        { actor: caller.email, action: 'user.change', target: user.email, detail: { role } },
        now(),
      )
      return user
    })
    const [withPasskey, roles, domains] = await Promise.all([
      passkeyStore(store.reads).userIds(),
      memberStore(store.reads).roles(changed.id),
      domainStore(store.reads).list(),
    ])
    return presentUser(changed, { withPasskey, roles, domains })
  },

  removeSecondFactor: async ({ params, caller }, { store, now }) => {
    await store.writes.transaction().execute(async (transaction) => {
      const user = await userStore(transaction).find(params.user_id)
      if (!user) throw NO_USER()
      await removeSecondFactors(transaction, user.id)
      await sessionStore(transaction).removeOfUser(user.id, caller.sessionId)
      await loginStepStore(transaction).removeOfUser(user.id)
      await auditStore(transaction).add(
        { actor: caller.email, action: 'second_factor.remove', target: user.email, detail: { kind: 'all' } },
        now(),
      )
    })
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

interface UserFacts {
  /** Numbers of users. */
  withPasskey: ReadonlySet<number>
  roles: readonly { domain: string; role: DomainRole }[] | undefined
  /** All of the installation. */
  domains: readonly DomainRow[]
}

const presentUser = (
  { id, email, role, created_at, totp_secret, invited_into }: UserRow,
  { withPasskey, roles = [], domains }: UserFacts,
): AccountUser => ({
  id,
  email,
  role,
  created_at: presentTime(created_at),
  domains: roles.map(({ domain, role: there }) => ({ domain, role: there })),
  invited_into:
    invited_into === null
      ? null
      : (domains.find((domain) => domain.id === invited_into)?.name ?? 'a removed domain'),
  second_factor: totp_secret !== null || withPasskey.has(id),
})

const NO_USER = (): AppError => new AppError('INK_NOT_FOUND', 'no such user')
