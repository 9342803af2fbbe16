import { presentTime } from '@inkling/contract'
import type { INVITATION_OPERATIONS, Invitation, NewInvitation } from '@inkling/contract/account'
import {
  acceptInvitation,
  domainUninviteEntry,
  invite,
  type MadeInvitation,
  openInvitation,
} from '../auth/invitations.ts'
import { AppError } from '../lib/errors.ts'
import { domainStore } from '../store/domains/domains.ts'
import { type InvitationRow, invitationStore } from '../store/users/login-steps.ts'
import { auditStore, userStore } from '../store/users/users.ts'
import { countedAttempt } from './guarded-attempt.ts'
import type { Handlers } from './handler.ts'

export const invitationOperations: Handlers<typeof INVITATION_OPERATIONS> = {
  listInvitations: async (_call, { store: { reads }, now }) => {
    const [rows, domains] = await Promise.all([invitationStore(reads).list(now()), domainStore(reads).list()])
    const names = new Map(domains.map(({ id, name }) => [id, name]))
    return rows.map((row) => presentInvitation(row, names.get(row.domain_id ?? 0)))
  },

  inviteUser: async ({ body, caller }, { store, baseUrl, now }) => {
    const guest = { email: body.email, role: body.role }
    return presentLink(await invite(store, guest, { actor: caller.email, nowMs: now() }), baseUrl)
  },

  invitePasswordChange: async ({ params, caller }, { store, baseUrl, now }) => {
    const user = await userStore(store.reads).find(params.user_id)
    if (!user) throw new AppError('INK_NOT_FOUND', 'no such user')
    const guest = { email: user.email, role: user.role, userId: user.id }
    return presentLink(await invite(store, guest, { actor: caller.email, nowMs: now() }), baseUrl)
  },

  removeInvitation: async ({ params, caller }, { store, now }) => {
    const removed = await store.writes.transaction().execute(async (transaction) => {
      const row = await invitationStore(transaction).remove(params.invitation_id)
      if (!row) return undefined
      const alone = { actor: caller.email, action: 'user.uninvite', target: row.email }
      const entry = (await domainUninviteEntry(transaction, row, caller.email)) ?? alone
      await auditStore(transaction).add(entry, now())
      return row
    })
    if (!removed) throw new AppError('INK_NOT_FOUND', 'no such invitation')
  },

  openInvitation: async ({ body, http }, deps) => {
    await countedAttempt(http.request, 'invitation', deps)
    const { email, user_id } = await openInvitation(deps.store, body.token, deps.now())
    return { email, known: user_id !== null }
  },

  acceptInvitation: async ({ body, http }, deps) => {
    await countedAttempt(http.request, 'invitation', deps)
    await acceptInvitation(deps.store, body, deps.now())
  },
}

const presentInvitation = (
  { id, email, role, invited_by, expires_at, domain_role }: InvitationRow,
  domain?: string,
): Invitation => ({
  id,
  email,
  role,
  invited_by,
  expires_at: presentTime(expires_at),
  in_domain: domain === undefined || domain_role === null ? null : { domain, role: domain_role },
})

const presentLink = ({ row, token }: MadeInvitation, baseUrl: string): NewInvitation => ({
  ...presentInvitation(row),
  link: invitationLink(baseUrl, token),
})

/** The token is after `#`, where neither servers nor proxies see it. */
export const invitationLink = (baseUrl: string, token: string): string =>
  `${baseUrl}/dashboard/invitation#${token}`
