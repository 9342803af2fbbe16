import { AuditPage } from '@inkling/contract/account'
import { expect, test } from 'vitest'
import { type AccountSurface, accountSurface, PASSWORD } from '../../test/account/account-surface.ts'
import { inviteIntoDomain } from '../auth/invitations.ts'
import { newDomain } from '../auth/register-domain.ts'
import { DAY_MS } from '../lib/durations.ts'
import { type DomainRow, domainStore } from '../store/domains/domains.ts'
import { removeDomain } from '../store/domains/remove-domain.ts'
import { removeExpired } from '../store/remove-expired.ts'
import { invitationStore } from '../store/users/login-steps.ts'
import { userStore } from '../store/users/users.ts'

const GUEST = { email: 'Grace@Shop.example', role: 'analyst' }
const CHOSEN = 'seven quiet harbours'

const invite = ({ ask }: AccountSurface, payload: object = GUEST) =>
  ask({ method: 'POST', url: '/account/invitations', payload })
const tokenOf = (answer: { json(): { link: string } }) => new URL(answer.json().link).hash.slice(1)
const anonymously = ({ ask }: AccountSurface, url: string, payload: object) =>
  ask({ method: 'POST', url, token: undefined, payload })
const accept = (surface: AccountSurface, token: string, password = CHOSEN) =>
  anonymously(surface, '/account/invitations/accept', { token, password })
const login = (surface: AccountSurface, email: string, password: string) =>
  anonymously(surface, '/account/login', { email, password })

interface Inviting {
  domain?: string
  token?: string
}

const inviteInto = (
  { ask }: AccountSurface,
  email: string,
  { domain = 'shop.example', ...token }: Inviting = {},
) =>
  ask({
    method: 'POST',
    url: `/account/domains/${domain}/invitations`,
    payload: { email, role: 'reviewer' },
    ...token,
  })
const changes = async ({ ask }: AccountSurface, domain = 'shop.example') =>
  AuditPage.parse((await ask({ url: `/account/domains/${domain}/audit` })).json()).data

async function addDomain({ store, clock }: AccountSurface, name: string): Promise<DomainRow> {
  const added = await store.writes
    .transaction()
    .execute((transaction) => domainStore(transaction).add(newDomain(name, clock.nowMs).row))
  if (!added) throw new Error('the domain was not added')
  return added
}

test('an invited person chooses a password, which nobody else has seen, and signs in', async () => {
  const surface = await accountSurface()
  const made = await invite(surface)
  expect(made.statusCode).toBe(201)
  expect(made.json()).toMatchObject({ email: 'grace@shop.example', role: 'analyst' })
  expect(made.json().link).toMatch(/^http:\/\/localhost:8080\/dashboard\/invitation#[\w-]{32}$/)
  expect((await surface.ask({ url: '/account/invitations' })).body).not.toContain(tokenOf(made))

  const opened = await anonymously(surface, '/account/invitations/open', { token: tokenOf(made) })
  expect(opened.json()).toEqual({ email: 'grace@shop.example', known: false })
  expect((await accept(surface, tokenOf(made))).statusCode).toBe(204)
  expect((await login(surface, 'grace@shop.example', CHOSEN)).statusCode).toBe(200)
  expect((await surface.actions()).slice(0, 3)).toEqual(['session.start', 'user.add', 'user.invite'])
})

test('a link works once, also when it is used twice at the same moment', async () => {
  const surface = await accountSurface()
  const token = tokenOf(await invite(surface))
  const both = await Promise.all([accept(surface, token), accept(surface, token, 'another quiet harbour')])
  expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([204, 404])
  expect((await accept(surface, token)).statusCode).toBe(404)
  expect(await surface.store.reads.selectFrom('users').selectAll().execute()).toHaveLength(3)
})

test('a link ends after three days, when it is replaced, and when it is withdrawn', async () => {
  const surface = await accountSurface()
  const first = tokenOf(await invite(surface))
  const second = tokenOf(await invite(surface))
  expect((await accept(surface, first)).statusCode).toBe(404)
  const [open] = (await surface.ask({ url: '/account/invitations' })).json()
  await surface.ask({ method: 'DELETE', url: `/account/invitations/${open.id}` })
  expect((await accept(surface, second)).statusCode).toBe(404)

  const third = tokenOf(await invite(surface))
  surface.clock.nowMs += 3 * DAY_MS
  expect((await accept(surface, third)).statusCode).toBe(404)
})

test('the links of an owner end when they are one no longer', async () => {
  const surface = await accountSurface()
  await surface.ask({
    method: 'PATCH',
    url: `/account/users/${surface.analyst.id}`,
    payload: { role: 'owner' },
  })
  const made = await surface.ask({
    method: 'POST',
    url: '/account/invitations',
    token: surface.tokens.analyst,
    payload: { email: 'friend@shop.example', role: 'owner' },
  })
  await surface.ask({
    method: 'PATCH',
    url: `/account/users/${surface.analyst.id}`,
    payload: { role: 'analyst' },
  })
  expect((await accept(surface, tokenOf(made))).statusCode).toBe(404)
})

test('a known user gets a new password by a link, which ends their sessions; until then the old one works', async () => {
  const surface = await accountSurface()
  const url = `/account/users/${surface.analyst.id}/password-link`
  const token = tokenOf(await surface.ask({ method: 'POST', url }))
  expect((await anonymously(surface, '/account/invitations/open', { token })).json()).toEqual({
    email: 'analyst@shop.example',
    known: true,
  })
  expect((await login(surface, 'analyst@shop.example', PASSWORD)).statusCode).toBe(200)
  expect((await accept(surface, token)).statusCode).toBe(204)
  const me = await surface.ask({ url: '/account/me', token: surface.tokens.analyst })
  expect(me.statusCode).toBe(401)
  expect((await login(surface, 'analyst@shop.example', PASSWORD)).statusCode).toBe(401)
  expect((await login(surface, 'analyst@shop.example', CHOSEN)).statusCode).toBe(200)
})

test('a known address cannot be invited, and a common password uses up nothing', async () => {
  const surface = await accountSurface()
  expect((await invite(surface, { email: 'OWNER@shop.example', role: 'owner' })).statusCode).toBe(409)
  const token = tokenOf(await invite(surface))
  for (const password of ['short', 'password2026', 'grace@shop.example'])
    expect((await accept(surface, token, password)).statusCode).toBe(400)
  expect((await accept(surface, token)).statusCode).toBe(204)
})

test('a new person is invited into one domain with a role, and gets nothing else', async () => {
  const surface = await accountSurface()
  const url = '/account/domains/shop.example/invitations'
  const made = await surface.ask({
    method: 'POST',
    url,
    payload: { email: 'Ivo@Agency.example', role: 'reviewer' },
  })
  expect(made.statusCode).toBe(201)
  expect(made.json()).toMatchObject({ email: 'ivo@agency.example', role: 'reviewer' })
  const members = async () => (await surface.ask({ url: '/account/domains/shop.example/members' })).json()
  expect((await members()).invited).toMatchObject([{ email: 'ivo@agency.example', role: 'reviewer' }])
  expect((await surface.ask({ url: '/account/invitations' })).json()).toMatchObject([
    { role: 'member', in_domain: { domain: 'shop.example', role: 'reviewer' } },
  ])
  expect((await accept(surface, tokenOf(made))).statusCode).toBe(204)
  const { data, invited } = await members()
  expect(invited).toEqual([])
  expect(data).toMatchObject([
    { email: 'ivo@agency.example', role: 'reviewer', given_by: 'owner@shop.example' },
  ])
  const users = (await surface.ask({ url: '/account/users' })).json() as { email: string; role: string }[]
  expect(users.find(({ email }) => email === 'ivo@agency.example')?.role).toBe('member')
  expect((await surface.actions()).slice(0, 3)).toEqual(['member.give', 'user.add', 'member.invite'])
  const [entry] = await changes(surface)
  expect(entry).toMatchObject({ actor: 'ivo@agency.example', action: 'member.give' })
  expect(entry?.detail).toMatchObject({ role: 'reviewer', invited_by: 'owner@shop.example' })
})

test('an invitation into a domain is withdrawn there alone, and goes with the domain', async () => {
  const surface = await accountSurface()
  const { store, clock, ask } = surface
  const other = await addDomain(surface, 'other.example')
  const payload = { email: 'ivo@agency.example', role: 'reviewer' }
  const first = await inviteInto(surface, payload.email)
  // It would end the link of the other domain.
  const refused = await inviteInto(surface, payload.email, { domain: 'other.example' })
  expect([refused.statusCode, refused.body]).toEqual([409, expect.stringContaining('invited elsewhere')])
  const added = await ask({ method: 'POST', url: '/account/domains/other.example/members', payload })
  expect([added.statusCode, added.body]).toEqual([409, expect.stringContaining('invited elsewhere')])
  const withdraw = (domain: string) =>
    ask({ method: 'DELETE', url: `/account/domains/${domain}/invitations/${first.json().id}` })
  expect((await withdraw('other.example')).statusCode).toBe(404)
  expect((await withdraw('shop.example')).statusCode).toBe(204)
  expect((await accept(surface, tokenOf(first))).statusCode).toBe(404)

  const second = await inviteInto(surface, payload.email, { domain: 'other.example' })
  await removeDomain(store, other, { nowMs: clock.nowMs, actor: 'test' })
  expect((await accept(surface, tokenOf(second))).statusCode).toBe(404)
})

test('what the owner of an installation ends of a domain is among its changes', async () => {
  const surface = await accountSurface()
  const ended = async () => (await changes(surface)).filter(({ action }) => action === 'member.uninvite')
  const first = await inviteInto(surface, 'ivo@agency.example')
  await surface.ask({ method: 'DELETE', url: `/account/invitations/${first.json().id}` })
  expect(await ended()).toMatchObject([
    { actor: 'owner@shop.example', detail: { user: 'ivo@agency.example' } },
  ])
  await inviteInto(surface, GUEST.email)
  await invite(surface)
  expect(await ended()).toMatchObject([{ detail: { user: 'grace@shop.example' } }, {}])
})

test('who is an owner of the installation no longer keeps the links into domains that they own', async () => {
  const surface = await accountSurface()
  const { ask, analyst, store, clock } = surface
  await addDomain(surface, 'other.example')
  const as = { token: surface.tokens.analyst }
  const change = (role: string) =>
    ask({ method: 'PATCH', url: `/account/users/${analyst.id}`, payload: { role } })
  await change('owner')
  const members = '/account/domains/shop.example/members'
  await ask({ method: 'POST', url: members, payload: { email: analyst.email, role: 'owner' } })
  const kept = await inviteInto(surface, 'ivo@agency.example', as)
  await inviteInto(surface, 'eva@agency.example', { ...as, domain: 'other.example' })
  await ask({ method: 'POST', url: '/account/invitations', ...as, payload: GUEST })
  await change('member')
  const open = async () => (await invitationStore(store.reads).list(clock.nowMs)).map(({ email }) => email)
  expect(await open()).toEqual([kept.json().email])
  expect((await changes(surface, 'other.example'))[0]).toMatchObject({
    action: 'member.uninvite',
    actor: 'owner@shop.example',
    detail: { user: 'eva@agency.example' },
  })

  await userStore(store.writes).remove(analyst.id)
  expect(await open()).toEqual([])
})

test('expired invitations do not stay, and bar nobody until they go', async () => {
  const surface = await accountSurface()
  const { store, clock, owner } = surface
  const other = await addDomain(surface, 'other.example')
  await inviteInto(surface, 'ivo@agency.example')
  clock.nowMs += 3 * DAY_MS - 1
  await removeExpired(store, clock.nowMs)
  expect(await invitationStore(store.reads).list(0)).toHaveLength(1)
  clock.nowMs += 1
  const guest = { email: 'ivo@agency.example', role: 'reviewer' } as const
  const again = await inviteIntoDomain(store, other, guest, { actor: owner.email, nowMs: clock.nowMs })
  expect(again.row.domain_id).toBe(other.id)
  clock.nowMs += 3 * DAY_MS
  await removeExpired(store, clock.nowMs)
  expect(await invitationStore(store.reads).list(0)).toEqual([])
})

test('a domain has fifty open invitations, of which one may be made anew', async () => {
  const surface = await accountSurface()
  const guests = Array.from({ length: 51 }, (_, index) => `guest${index}@agency.example`)
  const statuses = []
  for (const email of guests) statuses.push((await inviteInto(surface, email)).statusCode)
  expect(statuses).toEqual([...Array(50).fill(201), 409])
  expect((await inviteInto(surface, guests[0] ?? '')).statusCode).toBe(201)
  expect((await invite(surface)).statusCode).toBe(201)
})

test('of two domains that invite an address at the same moment one is refused, and its link is none', async () => {
  const surface = await accountSurface()
  await addDomain(surface, 'other.example')
  for (const email of ['ivo@agency.example', 'eva@agency.example', 'ana@agency.example']) {
    const domains = ['shop.example', 'other.example']
    const both = await Promise.all(domains.map((domain) => inviteInto(surface, email, { domain })))
    expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409])
    const made = both.find(({ statusCode }) => statusCode === 201)
    expect((await accept(surface, made ? tokenOf(made) : '')).statusCode).toBe(204)
  }
})

test('the right to invite is asked for once more with the invitation', async () => {
  const { store, clock, analyst } = await accountSurface()
  const domain = await domainStore(store.reads).find('shop.example')
  if (!domain) throw new Error('no domain')
  const guest = { email: 'ivo@agency.example', role: 'reviewer' } as const
  const late = inviteIntoDomain(store, domain, guest, { actor: analyst.email, nowMs: clock.nowMs })
  await expect(late).rejects.toMatchObject({ code: 'INK_ROLE' })
})

test('an address has thirty tries a minute at links', async () => {
  const surface = await accountSurface()
  const statuses = []
  for (let count = 0; count < 31; count += 1)
    statuses.push((await accept(surface, `guess${count}`)).statusCode)
  expect(statuses).toEqual([...Array(30).fill(404), 429])
})
