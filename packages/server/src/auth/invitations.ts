import { type DomainRole, rightsIn } from '@inkling/contract/account'
import type { Kysely } from 'kysely'
import { DAY_MS } from '../lib/durations.ts'
import { AppError } from '../lib/errors.ts'
import { type DomainRow, domainStore } from '../store/domains/domains.ts'
import type { Schema } from '../store/schema.ts'
import type { Store } from '../store/store.ts'
import { memberStore } from '../store/users/domain-members.ts'
import {
  type InvitationRow,
  invitationStore,
  loginStepStore,
  type NewInvitation,
} from '../store/users/login-steps.ts'
import { type AuditEntry, auditStore, sessionStore, type UserRow, userStore } from '../store/users/users.ts'
import { uninviteEntry, withDomainRoles } from './domain-roles.ts'
import { hashToken, newToken } from './login-steps.ts'
import { passwordFault } from './password-rules.ts'
import { hashPassword } from './users.ts'

/** Over a weekend, and not for longer than a mailbox stays in one person's hands. */
const LASTING_MS = 3 * DAY_MS
/** Open ones of a domain: as many as anybody hands out in three days. */
const INVITATIONS_MAX = 50

export interface MadeInvitation {
  row: InvitationRow
  /** To be shown once. */
  token: string
}

interface InvitedBy {
  /** E-mail address of a user. */
  actor: string
  nowMs: number
}

interface Guest {
  /** In lower case. */
  email: string
  role: UserRow['role']
  /** A user who gets a new password. */
  userId?: number
}

/** Makes a link with which one person chooses a password; an earlier one for the same address stops working. */
export async function invite(
  store: Store,
  { email, role, userId }: Guest,
  { actor, nowMs }: InvitedBy,
): Promise<MadeInvitation> {
  const token = newToken()
  const action = userId === undefined ? 'user.invite' : 'user.password_link'
  const row = await store.writes.transaction().execute(async (transaction) => {
    if (userId === undefined && (await userStore(transaction).findByEmail(email)))
      throw new AppError('INK_USER_EXISTS')
    const audit = auditStore(transaction)
    const replaced = await invitationStore(transaction).findByEmail(email, nowMs)
    const entry = replaced && (await domainUninviteEntry(transaction, replaced, actor))
    if (entry) await audit.add(entry, nowMs)
    await audit.add({ actor, action, target: email, detail: { role } }, nowMs)
    return add(
      transaction,
      {
        token_hash: hashToken(token),
        email,
        user_id: userId ?? null,
        role,
        invited_by: actor,
        expires_at: nowMs + LASTING_MS,
        domain_id: null,
        domain_role: null,
      },
      nowMs,
    )
  })
  return { row, token }
}

/**
 * The same for a new person who gets a role in one domain and nothing else. An owner of a domain replaces invitations
 * into it, and no others.
 * @throws AppError `INK_ROLE` if the actor may invite no longer, `INK_USER_EXISTS`, `INK_INVITED_ELSEWHERE`,
 * `INK_TOO_MANY_ENTRIES`
 */
export async function inviteIntoDomain(
  store: Store,
  domain: Pick<DomainRow, 'id' | 'name'>,
  { email, role }: { email: string; role: DomainRole },
  { actor, nowMs }: InvitedBy,
): Promise<MadeInvitation> {
  const token = newToken()
  const row = await store.writes.transaction().execute(async (transaction) => {
    await checkMayInvite(transaction, domain, actor)
    if (await userStore(transaction).findByEmail(email))
      throw new AppError('INK_USER_EXISTS', 'this person has an account; add them as a member')
    const open = await invitationStore(transaction).listOfDomain(domain.id, nowMs)
    if (open.filter((one) => one.email !== email).length >= INVITATIONS_MAX)
      throw new AppError(
        'INK_TOO_MANY_ENTRIES',
        `the domain has ${INVITATIONS_MAX} open invitations; withdraw one`,
      )
    const detail = { user: email, role }
    await auditStore(transaction).add({ actor, action: 'member.invite', target: domain.name, detail }, nowMs)
    return add(
      transaction,
      {
        token_hash: hashToken(token),
        email,
        user_id: null,
        role: 'member',
        invited_by: actor,
        expires_at: nowMs + LASTING_MS,
        domain_id: domain.id,
        domain_role: role,
      },
      nowMs,
    )
  })
  return { row, token }
}

/** Adds an invitation unless the address has one that it must not replace. */
async function add(
  transaction: Kysely<Schema>,
  invitation: NewInvitation,
  nowMs: number,
): Promise<InvitationRow> {
  const row = await invitationStore(transaction).add(invitation, nowMs)
  if (!row) throw new AppError('INK_INVITED_ELSEWHERE')
  return row
}

/** Whoever lost the right since the request was admitted would leave a link that nothing ends. */
async function checkMayInvite(
  transaction: Kysely<Schema>,
  { name }: Pick<DomainRow, 'name'>,
  actor: string,
): Promise<void> {
  const user = await userStore(transaction).findByEmail(actor)
  if (!user || !rightsIn(await withDomainRoles(transaction, user), name).has('members:write'))
    throw new AppError('INK_ROLE')
}

/** What the owners of a domain read when somebody outside it ends an invitation; undefined for others. */
export async function domainUninviteEntry(
  transaction: Kysely<Schema>,
  invitation: InvitationRow,
  actor: string,
): Promise<AuditEntry | undefined> {
  const domain = await domainInvitedInto(transaction, invitation)
  return domain && uninviteEntry(actor, domain.name, invitation.email)
}

/** Undefined for an invitation to the installation alone. */
const domainInvitedInto = async (
  transaction: Kysely<Schema>,
  { domain_id }: InvitationRow,
): Promise<DomainRow | undefined> =>
  domain_id === null ? undefined : domainStore(transaction).findById(domain_id)

/** Gives a new user what the invitation promised in a domain. Needs a transaction. */
export async function giveInvitedRole(
  transaction: Kysely<Schema>,
  user: UserRow,
  invitation: InvitationRow,
  nowMs: number,
): Promise<void> {
  const { domain_role: role, invited_by } = invitation
  const domain = await domainInvitedInto(transaction, invitation)
  if (!domain || role === null) return
  const given = { domain_id: domain.id, user_id: user.id, role, given_by: invited_by, given_at: nowMs }
  await memberStore(transaction).set(given)
  const detail = { user: user.email, role, invited_by }
  const entry = { actor: user.email, action: 'member.give', target: domain.name, detail }
  await auditStore(transaction).add(entry, nowMs)
}

/** The domain whose owner made the link and may have used it themselves; null if an owner of the installation did. */
async function unconfirmedIn(
  transaction: Kysely<Schema>,
  { domain_id, invited_by }: InvitationRow,
): Promise<number | null> {
  const inviter = await userStore(transaction).findByEmail(invited_by)
  return inviter?.role === 'owner' ? null : domain_id
}

const ENDED = (): AppError =>
  new AppError('INK_NOT_FOUND', 'the invitation was used, was withdrawn or has expired')

/** @throws AppError `INK_NOT_FOUND` */
export async function openInvitation({ reads }: Store, token: string, nowMs: number): Promise<InvitationRow> {
  const row = await invitationStore(reads).find(hashToken(token), nowMs)
  if (!row) throw ENDED()
  return row
}

/**
 * Uses an invitation up: adds its user, or replaces the password of a known one and ends their sessions.
 * @throws AppError `INK_NOT_FOUND` without it, `INK_INVALID_FIELD` for a password that must not be used
 */
export async function acceptInvitation(
  store: Store,
  { token, password }: { token: string; password: string },
  nowMs: number,
): Promise<void> {
  const invitation = await openInvitation(store, token, nowMs)
  const { id, email, user_id, role, invited_by } = invitation
  const fault = passwordFault(password, email)
  if (fault !== undefined) throw new AppError('INK_INVALID_FIELD', `password: ${fault}`)
  const password_hash = await hashPassword(password)
  await store.writes.transaction().execute(async (transaction) => {
    // Of two at once, one finds it gone.
    if (!(await invitationStore(transaction).remove(id))) throw ENDED()
    const users = userStore(transaction)
    const audit = auditStore(transaction)
    if (user_id === null) {
      const invited_into = await unconfirmedIn(transaction, invitation)
      const added = await users.add({ email, password_hash, role, created_at: nowMs, invited_into })
      if (!added) throw new AppError('INK_USER_EXISTS')
      await audit.add(
        { actor: email, action: 'user.add', target: email, detail: { role, invited_by } },
        nowMs,
      )
      await giveInvitedRole(transaction, added, invitation, nowMs)
      return
    }
    if (!(await users.change(user_id, { password_hash }))) throw ENDED()
    await sessionStore(transaction).removeOfUser(user_id)
    await loginStepStore(transaction).removeOfUser(user_id)
    await audit.add({ actor: email, action: 'password.change', target: email, detail: { invited_by } }, nowMs)
  })
}
