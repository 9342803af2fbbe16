import { type DomainRole, type RoleHolder, rightsIn } from '@inkling/contract/account'
import type { Kysely } from 'kysely'
import { AppError } from '../lib/errors.ts'
import { assistantGrantStore } from '../store/assistants/grants.ts'
import { proposalStore } from '../store/assistants/proposals.ts'
import type { DomainRow } from '../store/domains/domains.ts'
import type { Schema } from '../store/schema.ts'
import { type DomainMemberRow, memberStore } from '../store/users/domain-members.ts'
import { invitationStore } from '../store/users/login-steps.ts'
import { type AuditEntry, auditStore, type UserRow, userStore } from '../store/users/users.ts'

type KnownDomain = Pick<DomainRow, 'id' | 'name'>
interface By {
  /** E-mail address of a user, or `command line`. */
  actor: string
  nowMs: number
}

/** Adds the roles in single domains, which are read at each request, so that a change takes effect at once. */
export async function withDomainRoles<User extends Pick<UserRow, 'id' | 'role'>>(
  db: Kysely<Schema>,
  user: User,
): Promise<User & RoleHolder> {
  // An owner of the installation has every right everywhere.
  const roles = user.role === 'owner' ? [] : await memberStore(db).roles(user.id)
  return { ...user, domainRoles: new Map(roles.map(({ domain, role }) => [domain, role])) }
}

/**
 * Belongs before `giveRole` by an owner of a domain. Who was invited into another domain may be somebody else than the
 * address says, so only an owner of the installation lets them in.
 * @throws AppError `INK_INVITED_ELSEWHERE`
 */
export async function checkConfirmed(
  transaction: Kysely<Schema>,
  { id, name }: KnownDomain,
  email: string,
): Promise<void> {
  const user = await userStore(transaction).findByEmail(email)
  if (!user || user.invited_into === null || user.invited_into === id) return
  const roles = await memberStore(transaction).roles(user.id)
  if (!roles.some(({ domain }) => domain === name)) throw new AppError('INK_INVITED_ELSEWHERE')
}

/** Gives a user a role in a domain in place of the one before. Needs a transaction. Undefined without such a user. */
export async function giveRole(
  transaction: Kysely<Schema>,
  domain: KnownDomain,
  { email, role }: { email: string; role: DomainRole },
  { actor, nowMs }: By,
): Promise<DomainMemberRow | undefined> {
  const user = await userStore(transaction).findByEmail(email)
  if (!user) return undefined
  const row = { domain_id: domain.id, user_id: user.id, role, given_by: actor, given_at: nowMs }
  const member = await memberStore(transaction).set(row)
  await dropWhatWasLost(transaction, user, [domain], { actor, nowMs })
  const detail = { user: email, role }
  await auditStore(transaction).add({ actor, action: 'member.give', target: domain.name, detail }, nowMs)
  return member
}

/** Takes the role of a user in a domain. Needs a transaction. Undefined if the user has none there. */
export async function takeRole(
  transaction: Kysely<Schema>,
  domain: KnownDomain,
  userId: number,
  { actor, nowMs }: By,
): Promise<DomainMemberRow | undefined> {
  const user = await userStore(transaction).find(userId)
  const taken = user && (await memberStore(transaction).remove(domain.id, userId))
  if (!taken) return undefined
  await dropWhatWasLost(transaction, user, [domain], { actor, nowMs })
  const detail = { user: user.email }
  await auditStore(transaction).add({ actor, action: 'member.take', target: domain.name, detail }, nowMs)
  return taken
}

/**
 * Belongs in the transaction that changes a role: invitations end with the right to invite, assistants of somebody who
 * sees no visits any more end, what they propose goes, and cases that they cannot work on are nobody's. A role that comes
 * back later brings none of it back.
 */
export async function dropWhatWasLost(
  transaction: Kysely<Schema>,
  user: Pick<UserRow, 'id' | 'email' | 'role'>,
  domains: readonly KnownDomain[],
  by: By,
): Promise<void> {
  if (user.role !== 'owner') await invitationStore(transaction).removeBy(user.email, null)
  const holder = await withDomainRoles(transaction, user)
  for (const { id, name } of domains) {
    const rights = rightsIn(holder, name)
    if (!rights.has('members:write'))
      for (const { email } of await invitationStore(transaction).removeBy(user.email, id))
        await auditStore(transaction).add(uninviteEntry(by.actor, name, email), by.nowMs)
    if (!rights.has('visits:read')) await assistantGrantStore(transaction).removeFor(user.id, id)
    if (rights.has('cases:write')) continue
    await proposalStore(transaction).removeFor(user.id, id)
    await transaction
      .updateTable('cases')
      .set({ assignee: null })
      .where('domain_id', '=', id)
      .where('assignee', '=', user.email)
      .execute()
  }
}

/** The entry of an invitation into a domain that ends without being used. */
export const uninviteEntry = (actor: string, domain: string, email: string): AuditEntry => ({
  actor,
  action: 'member.uninvite',
  target: domain,
  detail: { user: email },
})

/** E-mail addresses of those who can work on the cases of a domain. */
export async function caseWorkers(db: Kysely<Schema>, domainId: number): Promise<string[]> {
  const people = await memberStore(db).reaching(domainId)
  return people.flatMap(({ email, role, domainRole }) => {
    const domainRoles = new Map(domainRole === null ? [] : [['here', domainRole]])
    return rightsIn({ role, domainRoles }, 'here').has('cases:write') ? [email] : []
  })
}
