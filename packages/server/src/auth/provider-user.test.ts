import { expect, test } from 'vitest'
import { temporaryStore } from '../../test/temporary-store.ts'
import type { ProviderIdentity, ProviderSettings } from './identity-provider.ts'
import { invite } from './invitations.ts'
import { providerUser } from './provider-user.ts'
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

test('a user with a password comes in as the same user', async () => {
  const { store } = await temporaryStore()
  const given = { email: ADA.email, password: 'seven quiet harbours', role: 'owner' } as const
  const user = await addUser(store, given, { actor: 'test', nowMs: NOW })
  const found = await providerUser(store, ADA, { settings: SETTINGS, nowMs: NOW })
  expect(found).toMatchObject({ id: user?.id, provider_subject: ADA.subject })
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

test('a member outside the group of owners stays a member, who sees no domain', async () => {
  const { store } = await temporaryStore()
  await invite(store, { email: ADA.email, role: 'member' }, { actor: 'mira', nowMs: NOW })
  const settings = { ...SETTINGS, ownerGroup: 'owners' }
  for (const groups of [[], ['staff']])
    expect((await providerUser(store, { ...ADA, groups }, { settings, nowMs: NOW })).role).toBe('member')
})
