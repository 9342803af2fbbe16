import { expect, test } from 'vitest'
import { temporaryStore } from '../../test/temporary-store.ts'
import { DAY_MS } from '../lib/durations.ts'
import { domainStore } from '../store/domains/domains.ts'
import { invitationStore, loginStepStore } from '../store/users/login-steps.ts'
import { passkeyStore, recoveryCodeStore } from '../store/users/second-factors.ts'
import { sessionStore, userStore } from '../store/users/users.ts'
import { giveRole } from './domain-roles.ts'
import type { ProviderIdentity, ProviderSettings } from './identity-provider.ts'
import { invite, inviteIntoDomain } from './invitations.ts'
import { providerUser } from './provider-user.ts'
import { replaceRecoveryCodes } from './second-factors.ts'
import { startSession } from './sessions.ts'
import { addUser } from './users.ts'

const NOW = Date.UTC(2026, 10, 21)
const SETTINGS: ProviderSettings = {
  issuer: 'https://login.example',
  clientId: 'inkling',
  clientSecret: 'secret',
  returnUrl: 'https://tools.example/dashboard/login/return',
  emailDomains: [],
  ownerGroup: undefined,
}
const ADA: ProviderIdentity = {
  subject: 'https://login.example 7',
  email: 'ada@shop.example',
  emailVerified: true,
  groups: [],
  authenticatedAtMs: undefined,
}

test('without admitted domains only users and invited people come in, the latter with their role', async () => {
  const { store } = await temporaryStore()
  const come = () => providerUser(store, ADA, { settings: SETTINGS, nowMs: NOW })
  await expect(come()).rejects.toThrow('ask an owner for an invitation')
  const made = await invite(store, { email: ADA.email, role: 'owner' }, { actor: 'mira', nowMs: NOW })
  expect(await come()).toMatchObject({ email: ADA.email, role: 'owner', password_hash: '' })
  // The link is used up with it.
  expect(await store.reads.selectFrom('invitations').selectAll().execute()).toEqual([])
  expect(made.row.email).toBe(ADA.email)
})

test('an invitation counts before the admitted domains until it ends, lets nobody else in, and makes no owner outside the group', async () => {
  const { store } = await temporaryStore()
  const settings = { ...SETTINGS, emailDomains: ['shop.example'], ownerGroup: 'owners' }
  const come = async (email: string, nowMs = NOW) =>
    providerUser(store, { ...ADA, email, subject: `https://login.example ${email}` }, { settings, nowMs })
  const by = { actor: 'mira', nowMs: NOW }
  for (const email of ['early@shop.example', 'late@shop.example', 'ivo@agency.example'])
    await invite(store, { email, role: 'member' }, by)
  await invite(store, { email: ADA.email, role: 'owner' }, by)
  expect((await come('early@shop.example')).role).toBe('member')
  expect((await come('late@shop.example', NOW + 3 * DAY_MS)).role).toBe('analyst')
  await expect(come('ivo@agency.example')).rejects.toThrow('people of your e-mail domain')
  await addUser(
    store,
    { email: 'mira@shop.example', password: 'seven quiet harbours', role: 'owner' },
    { actor: 'test', nowMs: NOW },
  )
  expect((await come(ADA.email)).role).toBe('analyst')
})

test('a user with a password comes in as the same user', async () => {
  const { store } = await temporaryStore()
  const given = { email: ADA.email, password: 'seven quiet harbours', role: 'owner' } as const
  const user = await addUser(store, given, { actor: 'test', nowMs: NOW })
  const found = await providerUser(store, ADA, { settings: SETTINGS, nowMs: NOW })
  expect(found).toMatchObject({ id: user?.id, provider_subject: ADA.subject })
})

test('the first sign-in through the provider ends every other way into the account, later ones end nothing', async () => {
  const { store } = await temporaryStore()
  const given = { email: ADA.email, password: 'seven quiet harbours', role: 'member' } as const
  const user = await addUser(store, given, { actor: 'test', nowMs: NOW })
  if (!user) throw new Error('the user was not added')
  const { reads, writes } = store
  await startSession(store, user, NOW)
  await invite(store, { ...given, userId: user.id }, { actor: 'mira', nowMs: NOW })
  await userStore(writes).change(user.id, { totp_secret: Buffer.from('secret'), invited_into: 1 })
  await passkeyStore(writes).add({
    user_id: user.id,
    credential_id: 'credential',
    public_key: Buffer.from('key'),
    counter: 0,
    transports: '[]',
    name: 'Laptop',
    created_at: NOW,
  })
  await writes.transaction().execute((transaction) => replaceRecoveryCodes(transaction, user.id))
  const step = { token_hash: Buffer.from('step'), kind: 'second_factor', data: '{}', expires_at: NOW + 1 }
  await loginStepStore(writes).add({ ...step, user_id: user.id }, NOW)

  const come = () => providerUser(store, ADA, { settings: SETTINGS, nowMs: NOW })
  expect(await come()).toMatchObject({ password_hash: '', totp_secret: null, invited_into: null })
  expect(await passkeyStore(reads).list(user.id)).toEqual([])
  expect(await recoveryCodeStore(reads).count(user.id)).toBe(0)
  expect(await sessionStore(reads).listOfUser(user.id, NOW)).toEqual([])
  expect(await loginStepStore(reads).find(step.token_hash, step.kind, NOW)).toBeUndefined()
  expect(await invitationStore(reads).list(NOW)).toEqual([])

  await startSession(store, await come(), NOW)
  await come()
  expect(await sessionStore(reads).listOfUser(user.id, NOW)).toHaveLength(1)
})

test('the last owner stays one, whatever the groups say', async () => {
  const { store } = await temporaryStore()
  const given = { email: ADA.email, password: 'seven quiet harbours', role: 'owner' } as const
  await addUser(store, given, { actor: 'test', nowMs: NOW })
  const settings = { ...SETTINGS, ownerGroup: 'owners' }
  expect((await providerUser(store, ADA, { settings, nowMs: NOW })).role).toBe('owner')
  await addUser(store, { ...given, email: 'mira@shop.example' }, { actor: 'test', nowMs: NOW })
  expect((await providerUser(store, ADA, { settings, nowMs: NOW })).role).toBe('analyst')
})

test('who leaves the group of owners loses their links, except those into domains that they own', async () => {
  const { store } = await temporaryStore()
  const given = { email: ADA.email, password: 'seven quiet harbours', role: 'owner' } as const
  await addUser(store, given, { actor: 'test', nowMs: NOW })
  await addUser(store, { ...given, email: 'mira@shop.example' }, { actor: 'test', nowMs: NOW })
  const domain = await domainStore(store.reads).find('shop.example')
  if (!domain) throw new Error('no domain')
  const by = { actor: ADA.email, nowMs: NOW }
  const settings = { ...SETTINGS, ownerGroup: 'owners' }
  const leave = async () => {
    await invite(store, { email: 'guest@shop.example', role: 'analyst' }, by)
    await inviteIntoDomain(store, domain, { email: 'ivo@agency.example', role: 'reviewer' }, by)
    await providerUser(store, { ...ADA, groups: ['owners'] }, { settings, nowMs: NOW })
    expect((await providerUser(store, ADA, { settings, nowMs: NOW })).role).toBe('analyst')
    return (await invitationStore(store.reads).list(NOW)).map(({ email }) => email)
  }
  expect(await leave()).toEqual([])
  await providerUser(store, { ...ADA, groups: ['owners'] }, { settings, nowMs: NOW })
  await store.writes
    .transaction()
    .execute((transaction) => giveRole(transaction, domain, { email: ADA.email, role: 'owner' }, by))
  expect(await leave()).toEqual(['ivo@agency.example'])
})

test('a member outside the group of owners stays a member, who sees no domain', async () => {
  const { store } = await temporaryStore()
  await invite(store, { email: ADA.email, role: 'member' }, { actor: 'mira', nowMs: NOW })
  const settings = { ...SETTINGS, ownerGroup: 'owners' }
  for (const groups of [[], ['staff']])
    expect((await providerUser(store, { ...ADA, groups }, { settings, nowMs: NOW })).role).toBe('member')
})
