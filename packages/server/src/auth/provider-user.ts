import type { Kysely } from 'kysely'
import { AppError } from '../lib/errors.ts'
import { domainStore } from '../store/domains/domains.ts'
import type { Schema } from '../store/schema.ts'
import type { Store } from '../store/store.ts'
import { invitationStore, loginStepStore } from '../store/users/login-steps.ts'
import { auditStore, sessionStore, type UserRow, userStore } from '../store/users/users.ts'
import { dropWhatWasLost } from './domain-roles.ts'
import type { ProviderIdentity, ProviderSettings } from './identity-provider.ts'
import { giveInvitedRole } from './invitations.ts'
import { removeSecondFactors } from './second-factors.ts'
import { emailAddress, NO_PASSWORD } from './users.ts'

const ACTOR = 'identity provider'

/**
 * The user whom the identity provider vouches for. Somebody with an invitation, or with an address of an admitted
 * domain, becomes a user at the first sign-in. A known user is recognised by the address once, afterwards by the
 * provider's own name for the person, because addresses change hands.
 * @throws AppError `INK_PROVIDER_REFUSED` for everybody else
 */
export function providerUser(
  store: Store,
  identity: ProviderIdentity,
  { settings, nowMs }: { settings: ProviderSettings; nowMs: number },
): Promise<UserRow> {
  checkAddress(identity, settings)
  return store.writes.transaction().execute(async (transaction) => {
    const users = userStore(transaction)
    const linked = await users.findByProvider(identity.subject)
    const user =
      linked ??
      (await linkUser(transaction, identity, nowMs)) ??
      (await addProviderUser(transaction, identity, settings, nowMs))
    if (!user)
      throw refused('nobody with this e-mail address may sign in here; ask an owner for an invitation')
    return mapRole(transaction, user, identity, settings, nowMs)
  })
}

const refused = (text: string): AppError => new AppError('INK_PROVIDER_REFUSED', text)

const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1)

function checkAddress({ email, emailVerified }: ProviderIdentity, { emailDomains }: ProviderSettings): void {
  if (emailAddress(email) === undefined || !emailVerified)
    throw refused('the identity provider does not confirm your e-mail address')
  if (emailDomains.length > 0 && !emailDomains.includes(domainOf(email)))
    throw refused('people of your e-mail domain may not sign in here')
}

/**
 * A user of this address who never came through the provider; undefined without one. Until now nobody had confirmed
 * that the account is theirs: who made it may know its password, so every other way into it ends.
 */
async function linkUser(
  transaction: Kysely<Schema>,
  { email, subject }: ProviderIdentity,
  nowMs: number,
): Promise<UserRow | undefined> {
  const user = await userStore(transaction).findByEmail(email)
  if (!user) return undefined
  if (user.provider_subject !== null)
    throw refused('this e-mail address belongs to somebody else at the identity provider')
  await removeSecondFactors(transaction, user.id)
  await sessionStore(transaction).removeOfUser(user.id)
  await loginStepStore(transaction).removeOfUser(user.id)
  await invitationStore(transaction).removeFor(email)
  await auditStore(transaction).add(
    { actor: ACTOR, action: 'user.change', target: email, detail: { password: 'removed' } },
    nowMs,
  )
  return userStore(transaction).change(user.id, {
    provider_subject: subject,
    password_hash: NO_PASSWORD,
    invited_into: null,
  })
}

async function addProviderUser(
  transaction: Kysely<Schema>,
  { email, subject }: ProviderIdentity,
  { emailDomains }: ProviderSettings,
  nowMs: number,
): Promise<UserRow | undefined> {
  const invitations = invitationStore(transaction)
  const invitation = await invitations.findByEmail(email, nowMs)
  if (!invitation && emailDomains.length === 0) return undefined
  if (invitation) await invitations.remove(invitation.id)
  const role = invitation?.role ?? 'analyst'
  await auditStore(transaction).add(
    { actor: ACTOR, action: 'user.add', target: email, detail: { role } },
    nowMs,
  )
  const user = await userStore(transaction).add({
    email,
    password_hash: NO_PASSWORD,
    role,
    created_at: nowMs,
    provider_subject: subject,
  })
  if (user && invitation) await giveInvitedRole(transaction, user, invitation, nowMs)
  return user
}

/** Sets the role that the provider's groups say, except that the last owner stays one. */
async function mapRole(
  transaction: Kysely<Schema>,
  user: UserRow,
  { groups }: ProviderIdentity,
  { ownerGroup }: ProviderSettings,
  nowMs: number,
): Promise<UserRow> {
  if (ownerGroup === undefined) return user
  // Who is not in the group is no owner; whether they are an analyst or a member is not for the group to say.
  const other = user.role === 'owner' ? 'analyst' : user.role
  const role = groups.includes(ownerGroup) ? 'owner' : other
  if (role === user.role) return user
  if (role === 'analyst' && (await userStore(transaction).countOwners()) === 1) return user
  await auditStore(transaction).add(
    { actor: ACTOR, action: 'user.change', target: user.email, detail: { role } },
    nowMs,
  )
  const changed = await userStore(transaction).change(user.id, { role })
  if (!changed) return user
  const domains = await domainStore(transaction).list()
  await dropWhatWasLost(transaction, changed, domains, { actor: ACTOR, nowMs })
  return changed
}
