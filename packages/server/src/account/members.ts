import { presentTime } from '@inkling/contract'
import type { MEMBER_OPERATIONS, Member, MemberInvitation } from '@inkling/contract/account'
import { checkConfirmed, giveRole, takeRole, uninviteEntry } from '../auth/domain-roles.ts'
import { inviteIntoDomain } from '../auth/invitations.ts'
import { AppError } from '../lib/errors.ts'
import { type DomainMemberRow, memberStore } from '../store/users/domain-members.ts'
import { type DomainInvitationRow, type InvitationRow, invitationStore } from '../store/users/login-steps.ts'
import { recordChange } from './audit.ts'
import { findDomain } from './domains.ts'
import type { Handlers } from './handler.ts'
import { invitationLink } from './invitations.ts'

export const memberOperations: Handlers<typeof MEMBER_OPERATIONS> = {
  listMembers: async ({ params }, { store, now }) => {
    const { id } = await findDomain(store, params.domain)
    const [members, invited, reaching] = await Promise.all([
      memberStore(store.reads).list(id),
      invitationStore(store.reads).listOfDomain(id, now()),
      memberStore(store.reads).reaching(id),
    ])
    return {
      data: members.map((row) => presentMember(row, row.email)),
      invited: invited.map(presentInvitation),
      of_installation: reaching.flatMap(({ email, role }) => (role === 'member' ? [] : [{ email, role }])),
    }
  },

  giveRole: async ({ params, body, caller }, { store, now }) => {
    const domain = await findDomain(store, params.domain)
    const { email, role } = body
    const by = { actor: caller.email, nowMs: now() }
    const given = await store.writes.transaction().execute(async (transaction) => {
      if (caller.role !== 'owner') await checkConfirmed(transaction, domain, email)
      const member = await giveRole(transaction, domain, { email, role }, by)
      if (member) return member
      const invited = await invitationStore(transaction).findByEmail(email, now())
      if (invited && invited.domain_id !== domain.id) throw new AppError('INK_INVITED_ELSEWHERE')
      throw new AppError('INK_NOT_FOUND', 'no such user')
    })
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

  inviteMember: async ({ params, body, caller }, { store, baseUrl, now }) => {
    const domain = await findDomain(store, params.domain)
    const { row, token } = await inviteIntoDomain(store, domain, body, {
      actor: caller.email,
      nowMs: now(),
    })
    return { ...presentInvitation({ ...row, domain_role: body.role }), link: invitationLink(baseUrl, token) }
  },

  withdrawMemberInvitation: async ({ params, caller }, deps) => {
    const { id, name } = await findDomain(deps.store, params.domain)
    const removed = await recordChange(
      deps,
      ({ email }: InvitationRow) => uninviteEntry(caller.email, name, email),
      (transaction) => invitationStore(transaction).removeOfDomain(id, params.invitation_id),
    )
    if (!removed) throw new AppError('INK_NOT_FOUND', 'no such invitation')
  },
}

const presentInvitation = ({
  id,
  email,
  domain_role,
  invited_by,
  expires_at,
}: DomainInvitationRow): MemberInvitation => ({
  id,
  email,
  role: domain_role,
  invited_by,
  expires_at: presentTime(expires_at),
})

const presentMember = ({ user_id, role, given_by, given_at }: DomainMemberRow, email: string): Member => ({
  user_id,
  email,
  role,
  given_by,
  given_at: presentTime(given_at),
})
