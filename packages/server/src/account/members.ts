import { presentTime } from '@inkling/contract'
import type { MEMBER_OPERATIONS, Member } from '@inkling/contract/account'
import { giveRole, takeRole } from '../auth/domain-roles.ts'
import { emailAddress } from '../auth/users.ts'
import { AppError } from '../lib/errors.ts'
import { type DomainMemberRow, memberStore } from '../store/users/domain-members.ts'
import { findDomain } from './domains.ts'
import type { Handlers } from './handler.ts'

export const memberOperations: Handlers<typeof MEMBER_OPERATIONS> = {
  listMembers: async ({ params }, { store }) => {
    const { id } = await findDomain(store, params.domain)
    const [members, reaching] = await Promise.all([
      memberStore(store.reads).list(id),
      memberStore(store.reads).reaching(id),
    ])
    return {
      data: members.map((row) => presentMember(row, row.email)),
      of_installation: reaching.flatMap(({ email, role }) => (role === 'member' ? [] : [{ email, role }])),
    }
  },

  giveRole: async ({ params, body, caller }, { store, now }) => {
    const domain = await findDomain(store, params.domain)
    const email = emailAddress(body.email) ?? ''
    const by = { actor: caller.email, nowMs: now() }
    const given = await store.writes
      .transaction()
      .execute((transaction) => giveRole(transaction, domain, { email, role: body.role }, by))
    if (!given) throw new AppError('INK_NOT_FOUND', 'no such user')
    return presentMember(given, email)
  },

  takeRole: async ({ params, caller }, { store, now }) => {
    const domain = await findDomain(store, params.domain)
    const by = { actor: caller.email, nowMs: now() }
    const taken = await store.writes
      .transaction()
      .execute((transaction) => takeRole(transaction, domain, params.user_id, by))
    if (!taken) throw new AppError('INK_NOT_FOUND', 'no such member')
  },
}

const presentMember = ({ user_id, role, given_by, given_at }: DomainMemberRow, email: string): Member => ({
  user_id,
  email,
  role,
  given_by,
  given_at: presentTime(given_at),
})
