import { request } from 'node:http'
import {
  ACCOUNT_OPERATIONS,
  AccountDomains,
  type AccountOperation,
  CaseCounts,
  DOMAIN_ROLE_NAMES,
  DOMAIN_ROLES,
  type DomainRole,
  isDomainRight,
  Members,
  SystemHealth,
} from '@inkling/contract/account'
import { expect, test } from 'vitest'
import type { AccountDeps } from '../../src/account/handler.ts'
import { createAccessTokens } from '../../src/auth/access-token.ts'
import { giveRole } from '../../src/auth/domain-roles.ts'
import { newDomain } from '../../src/auth/register-domain.ts'
import { startSession } from '../../src/auth/sessions.ts'
import { NO_PASSWORD } from '../../src/auth/users.ts'
import { domainStore } from '../../src/store/domains/domains.ts'
import { type UserRow, userStore } from '../../src/store/users/users.ts'
import { createLatencyRecord } from '../../src/telemetry/running-state.ts'
import { type AccountSurface, accountSurface } from '../account/account-surface.ts'
import { overTor, storeDelivery, storeVisit } from '../account/stored-visits.ts'

/** Every role in a domain at every operation, and people of two domains that must not learn of each other. */

const OPERATIONS = Object.entries<AccountOperation>(ACCOUNT_OPERATIONS).filter(
  ([, { access }]) => access !== 'anyone' && access !== 'cookie',
)
const OURS = 'shop.example'
const OTHER = 'other.example'

/** A process without anything to tell. */
const IDLE: Omit<AccountDeps['running'], 'installation'> = {
  version: '0.0.0',
  startedAtMs: 0,
  latency: createLatencyRecord(),
  followUps: () => 0,
  sources: [],
  diskLimits: () => [],
  storage: () => Promise.resolve({ bytes: 1_000_000, freeBytes: 10_000_000_000 }),
  retention: { days: 90, last: () => undefined },
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE'
interface Person {
  user: UserRow
  token: string
  ask(method: Method, path: string, payload?: object): Promise<{ status: number; text: string }>
}

interface Site extends AccountSurface {
  /** Somebody who is a member of the installation with these roles. */
  person(name: string, roles: Record<string, DomainRole>): Promise<Person>
}

async function site(given: Partial<AccountDeps> = {}): Promise<Site> {
  const surface = await accountSurface(given)
  const { store, clock, ask } = surface
  const tokens = createAccessTokens(Buffer.alloc(32, 7), () => clock.nowMs)
  const { row } = newDomain(OTHER, clock.nowMs)
  await store.writes.transaction().execute((transaction) => domainStore(transaction).add(row))
  return {
    ...surface,
    async person(name, roles) {
      const email = `${name}@people.example`
      const row = { email, password_hash: NO_PASSWORD, role: 'member', created_at: clock.nowMs } as const
      const user = await userStore(store.writes).add(row)
      if (!user) throw new Error('the user was not added')
      for (const [domain, role] of Object.entries(roles)) await give(surface, email, domain, role)
      const { sessionId } = await startSession(store, user, clock.nowMs)
      const token = await tokens.issue({ userId: user.id, sessionId })
      return {
        user,
        token,
        async ask(method, url, payload) {
          const answer = await ask({ method, url, token, ...(payload && { payload }) })
          return { status: answer.statusCode, text: answer.body.trim() }
        },
      }
    },
  }
}

async function give({ store, clock }: AccountSurface, email: string, name: string, role: DomainRole) {
  const domain = await domainStore(store.reads).find(name)
  if (!domain) throw new Error(`no domain ${name}`)
  const by = { actor: 'test', nowMs: clock.nowMs }
  await store.writes
    .transaction()
    .execute((transaction) => giveRole(transaction, domain, { email, role }, by))
}

const requestOf = ({ method, path }: AccountOperation, domain: string) => {
  const url = path
    .replace('{domain}', domain)
    .replace('{kind}', 'api')
    .replace('{request_id}', '0b5a3f0c-8d8e-4f55-9d49-7a51f3c0f0aa')
    .replace(/\{\w+_id\}/g, '999')
  return [method, url, ...(method === 'GET' ? [] : [{}])] as Parameters<Person['ask']>
}

const NO_DOMAIN = '{"error":"no such domain"}'

test('each role gets exactly the operations whose right it has; a refused request changes nothing', async () => {
  const surface = await site()
  const people = await Promise.all(
    DOMAIN_ROLE_NAMES.map(async (role) => ({ role, ...(await surface.person(role, { [OURS]: role })) })),
  )
  const mayUse = (role: DomainRole, { access }: AccountOperation): boolean =>
    access === 'user' || DOMAIN_ROLES[role].rights.some((right) => right === access)
  const before = await surface.actions()
  for (const { role, ask } of people)
    for (const [name, operation] of OPERATIONS)
      if (!mayUse(role, operation))
        expect((await ask(...requestOf(operation, OURS))).status, `${name} as ${role}`).toBe(403)
  expect(await surface.actions()).toEqual(before)
  for (const { role, ask } of people)
    for (const [name, operation] of OPERATIONS)
      if (mayUse(role, operation)) {
        const { status, text } = await ask(...requestOf(operation, OURS))
        expect([401, 403, 500], `${name} as ${role}`).not.toContain(status)
        expect(text, `${name} as ${role}`).not.toBe(NO_DOMAIN)
      }
})

test('the operations that matter, as written by hand', async () => {
  const surface = await site()
  const at = `/account/domains/${OURS}`
  const entry = { list: 'deny', kind: 'asn', value: '64500' }
  const label = { kind: 'fraud', subject: { type: 'account', value: 'ada' }, source: 'review' }
  const rule = { name: 'All', condition: 'true', effect: { action: 'review' } }
  const hook = { url: 'https://shop.example/hook' }
  const key = { name: 'Reports', scopes: ['decide'] }
  const asked: [string, Method, string, object | undefined, Record<DomainRole, number>][] = [
    ['reads visits', 'GET', `${at}/identifications`, undefined, all(200, { integrator: 403 })],
    ['finds anything', 'GET', `${at}/find?q=ada`, undefined, all(200, { integrator: 403 })],
    [
      'reads what was sent',
      'GET',
      `${at}/endpoints/999/deliveries`,
      undefined,
      all(404, { integrator: 403 }),
    ],
    ['downloads', 'GET', `${at}/lists/export`, undefined, only(200, 'owner', 'analyst')],
    [
      'opens a case',
      'POST',
      `${at}/cases`,
      { subject: label.subject },
      only(200, 'owner', 'analyst', 'reviewer'),
    ],
    ['labels', 'POST', `${at}/labels`, label, only(201, 'owner', 'analyst', 'reviewer')],
    ['lists', 'POST', `${at}/lists`, entry, only(201, 'owner', 'analyst')],
    ['makes a rule', 'POST', `${at}/decision-rules`, rule, only(201, 'owner')],
    ['sets weights', 'POST', `${at}/rules`, { weights: {} }, only(200, 'owner')],
    ['adds a webhook', 'POST', `${at}/endpoints`, hook, only(201, 'owner', 'integrator')],
    ['makes a key', 'POST', `${at}/api-keys`, key, { ...only(201, 'owner'), integrator: 409 }],
    ['raises the volume', 'PATCH', at, { remaining: 9 }, only(0)],
    ['changes a setting', 'PATCH', at, { review_hours: 9 }, only(200, 'owner', 'integrator')],
    ['erases', 'POST', `${at}/privacy/erase/preview`, { type: 'user_hid', value: 'ada' }, only(200, 'owner')],
    ['sees members', 'GET', `${at}/members`, undefined, only(200, 'owner')],
    ['sees changes', 'GET', `${at}/audit`, undefined, only(200, 'owner')],
    ['sees the system', 'GET', '/account/health', undefined, only(200, 'owner', 'integrator')],
    ['sees users', 'GET', '/account/users', undefined, only(0)],
    ['sees the audit log', 'GET', '/account/audit', undefined, only(0)],
    ['adds a domain', 'POST', '/account/domains', { domain: 'new.example' }, only(0)],
  ]
  for (const role of DOMAIN_ROLE_NAMES) {
    const { ask } = await surface.person(role, { [OURS]: role })
    for (const [what, method, path, payload, expected] of asked)
      expect((await ask(method, path, payload)).status, `${role} ${what}`).toBe(expected[role])
  }
})

function all(status: number, others: Partial<Record<DomainRole, number>>): Record<DomainRole, number> {
  return {
    owner: status,
    analyst: status,
    reviewer: status,
    'read-only': status,
    integrator: status,
    ...others,
  }
}
function only(status: number, ...roles: DomainRole[]): Record<DomainRole, number> {
  return all(403, Object.fromEntries(roles.map((role) => [role, status])))
}

test('a case is decided with a list entry by who may, and undone by who may', async () => {
  const surface = await site()
  const reviewer = await surface.person('rita', { [OURS]: 'reviewer' })
  const path = `/account/domains/${OURS}/cases`
  const subject = { type: 'account', value: 'ada' }
  expect((await reviewer.ask('POST', path, { subject })).status).toBe(200)
  const decision = { action: 'deny', label: 'fraud', list: 'deny' }
  const asAnalyst = (method: Method, payload?: object) =>
    surface.ask({
      method,
      url: `${path}/1/decision`,
      token: surface.tokens.analyst,
      ...(payload && { payload }),
    })
  expect((await asAnalyst('POST', decision)).json()).toEqual({
    error: 'label: your role does not allow this',
  })
  expect((await reviewer.ask('POST', `${path}/1/decision`, decision)).status).toBe(200)
  expect((await asAnalyst('DELETE')).statusCode).toBe(403)
  expect((await reviewer.ask('DELETE', `${path}/1/decision`)).status).toBe(200)
})

test('somebody without a role in a domain cannot tell it from one that does not exist', async () => {
  const surface = await site()
  const ann = await surface.person('ann', { [OURS]: 'owner' })
  const nobody = await surface.person('nobody', {})
  await surface.ask({ method: 'PATCH', url: `/account/domains/${OTHER}`, payload: { remaining: 5 } })
  for (const [name, operation] of OPERATIONS.filter(([, { path }]) => path.includes('{domain}'))) {
    const unknown = await ann.ask(...requestOf(operation, 'unknown.example'))
    expect(unknown, name).toEqual({ status: 404, text: NO_DOMAIN })
    expect(await ann.ask(...requestOf(operation, OTHER)), name).toEqual(unknown)
    expect(await nobody.ask(...requestOf(operation, OURS)), name).toEqual(unknown)
  }
  for (const [name, operation] of OPERATIONS.filter(([, { access }]) => isDomainRight(access)))
    if (!operation.path.includes('{domain}'))
      expect((await nobody.ask(...requestOf(operation, OURS))).status, name).toBe(403)

  const domains = AccountDomains.parse(JSON.parse((await ann.ask('GET', '/account/domains')).text))
  expect(domains.map(({ domain }) => domain)).toEqual([OURS])
  expect((await nobody.ask('GET', '/account/domains')).text).toBe('[]')
  const health = SystemHealth.parse(JSON.parse((await ann.ask('GET', '/account/health')).text))
  expect(health.domains.map(({ domain }) => domain)).toEqual([OURS])
  for (const path of ['/account/health', '/account/feeds', `/account/domains/${OURS}/cases/counts`])
    expect((await ann.ask('GET', path)).text).not.toMatch(/other\.example|nobody@/)
})

test('of the events and the traffic of other domains the health of the system tells nothing', async () => {
  const surface = await site()
  await storeDelivery(surface, await storeVisit(surface, overTor()))
  await storeVisit(surface)
  surface.clock.nowMs += 70_000
  const healthFor = async (name: string, domain: string) => {
    const { ask } = await surface.person(name, { [domain]: 'owner' })
    return SystemHealth.parse(JSON.parse((await ask('GET', '/account/health')).text))
  }
  expect((await healthFor('ann', OURS)).events).toMatchObject({ waiting: 1, sends_last_hour: 1 })
  const { database, events, ...health } = await healthFor('otto', OTHER)
  expect(events).toMatchObject({ waiting: 0, overdue_ms: 0, sends_last_hour: 0, delivered_share: null })
  expect(database).toMatchObject({ rows: null, rows_last_day: 0, bytes_per_day: null })
  expect(health.follow_ups).toBeNull()
  expect(new Set(health.ingest.map(({ identifications }) => identifications))).toEqual(new Set([null]))
})

test('where the server has its files and who its neighbours are is for who sees the whole installation', async () => {
  const surface = await site({
    running: {
      ...IDLE,
      installation: () =>
        Promise.resolve([
          { check: 'data directory', ok: true, detail: '/srv/inkling' },
          { check: 'nodes', ok: false, detail: 'cannot be reached: 10.0.0.7:8080' },
        ]),
    },
  })
  const checks = (text: string) =>
    SystemHealth.parse(JSON.parse(text)).checks.filter(({ check }) => /^(data directory|nodes)$/.test(check))
  const ann = await surface.person('ann', { [OURS]: 'integrator' })
  const { text } = await ann.ask('GET', '/account/health')
  expect(checks(text)).toMatchObject([
    { check: 'nodes', state: 'problem', detail: 'does not work', advice: expect.any(String) },
    { check: 'data directory', state: 'ok', detail: 'works' },
  ])
  const { body } = await surface.ask({ url: '/account/health', token: surface.tokens.analyst })
  expect(checks(body)).toMatchObject([
    { detail: 'cannot be reached: 10.0.0.7:8080' },
    { detail: '/srv/inkling' },
  ])
})

test('only who can give cases to others learns who they are', async () => {
  const surface = await site()
  const usersFor = async (role: DomainRole) => {
    const { ask } = await surface.person(role, { [OURS]: role })
    return CaseCounts.parse(JSON.parse((await ask('GET', `/account/domains/${OURS}/cases/counts`)).text))
      .users
  }
  expect(await usersFor('reviewer')).toContain('owner@shop.example')
  expect(await usersFor('read-only')).toEqual([])
})

test('an owner of a domain invites into it alone, and their links end with the role', async () => {
  const surface = await site()
  const boss = await surface.person('boss', { [OURS]: 'owner', [OTHER]: 'analyst' })
  const ann = await surface.person('ann', { [OURS]: 'analyst' })
  const invitations = `/account/domains/${OURS}/invitations`
  const guest = { email: 'ivo@agency.example', role: 'owner' }
  expect((await ann.ask('POST', invitations, guest)).status).toBe(403)
  expect((await boss.ask('POST', invitations.replace(OURS, OTHER), guest)).status).toBe(403)
  expect((await boss.ask('POST', '/account/invitations', { ...guest, role: 'member' })).status).toBe(403)
  expect((await boss.ask('POST', invitations, { ...guest, email: ann.user.email })).status).toBe(409)
  const made = await boss.ask('POST', invitations, guest)
  expect(made.status).toBe(201)
  const token = new URL(JSON.parse(made.text).link).hash.slice(1)
  await surface.ask({ method: 'DELETE', url: `/account/domains/${OURS}/members/${boss.user.id}` })
  const accepted = await surface.ask({
    method: 'POST',
    url: '/account/invitations/accept',
    token: undefined,
    payload: { token, password: 'seven quiet harbours' },
  })
  expect(accepted.statusCode).toBe(404)
})

test('whom an owner of a domain invited gets into another only through an owner of the installation', async () => {
  const surface = await site()
  const mallory = await surface.person('mallory', { [OURS]: 'owner' })
  const boss = await surface.person('boss', { [OTHER]: 'owner' })
  const email = 'ceo@people.example'
  const join = async (made: string) => {
    const token = new URL(JSON.parse(made).link).hash.slice(1)
    const payload = { token, password: 'seven quiet harbours' }
    const url = '/account/invitations/accept'
    expect((await surface.ask({ method: 'POST', url, token: undefined, payload })).statusCode).toBe(204)
  }
  const members = (domain: string) => `/account/domains/${domain}/members`
  const invitations = (domain: string) => `/account/domains/${domain}/invitations`
  await join((await mallory.ask('POST', invitations(OURS), { email, role: 'read-only' })).text)
  expect((await mallory.ask('POST', members(OURS), { email, role: 'analyst' })).status).toBe(200)
  const refused = await boss.ask('POST', members(OTHER), { email, role: 'analyst' })
  expect(refused.status).toBe(409)
  expect(refused.text).toContain('was invited elsewhere; ask an owner of the installation')
  const listed = async () => {
    const users: { email: string; invited_into: string | null }[] = (
      await surface.ask({ url: '/account/users' })
    ).json()
    return users.filter(({ invited_into }) => invited_into !== null)
  }
  expect(await listed()).toMatchObject([{ email, invited_into: OURS }])

  const payload = { email, role: 'read-only' }
  const given = await surface.ask({ method: 'POST', url: members(OTHER), payload })
  expect(given.statusCode).toBe(200)
  expect((await boss.ask('POST', members(OTHER), { email, role: 'reviewer' })).status).toBe(200)

  const friend = { email: 'friend@people.example', role: 'read-only' }
  await join((await surface.ask({ method: 'POST', url: invitations(OURS), payload: friend })).body)
  expect((await boss.ask('POST', members(OTHER), friend)).status).toBe(200)
  expect(await listed()).toHaveLength(1)
})

test('roles are given and taken at once, in the domain alone, and never by who lacks the right', async () => {
  const surface = await site()
  const boss = await surface.person('boss', { [OURS]: 'owner' })
  const ann = await surface.person('ann', { [OURS]: 'analyst', [OTHER]: 'read-only' })
  const members = `/account/domains/${OURS}/members`
  const mine = `${members}/${ann.user.id}`
  for (const role of DOMAIN_ROLE_NAMES)
    expect((await ann.ask('POST', members, { email: ann.user.email, role })).status).toBe(403)
  expect((await ann.ask('DELETE', `${members}/${boss.user.id}`)).status).toBe(403)
  expect((await boss.ask('PATCH', `/account/users/${boss.user.id}`, { role: 'owner' })).status).toBe(403)
  expect(
    (await boss.ask('POST', members.replace(OURS, OTHER), { email: boss.user.email, role: 'owner' })).text,
  ).toBe(NO_DOMAIN)
  const last = await surface.ask({
    method: 'PATCH',
    url: `/account/users/${surface.owner.id}`,
    payload: { role: 'member' },
  })
  expect(last.statusCode).toBe(409)

  const cases = `/account/domains/${OURS}/cases`
  await ann.ask('POST', cases, { subject: { type: 'account', value: 'ada' } })
  await ann.ask('PATCH', `${cases}/1`, { assignee: ann.user.email })
  expect((await boss.ask('POST', members, { email: 'ANN@people.example', role: 'read-only' })).status).toBe(
    200,
  )
  expect(JSON.parse((await ann.ask('GET', `${cases}/1`)).text)).toMatchObject({ case: { assignee: null } })
  expect((await ann.ask('PATCH', `${cases}/1`, { priority: 'low' })).status).toBe(403)
  expect((await boss.ask('PATCH', `${cases}/1`, { assignee: ann.user.email })).status).toBe(400)
  expect((await boss.ask('POST', members, { email: 'nobody@people.example', role: 'owner' })).status).toBe(
    404,
  )
  expect((await boss.ask('DELETE', mine)).status).toBe(204)
  expect((await ann.ask('GET', cases)).text).toBe(NO_DOMAIN)
  expect((await ann.ask('GET', cases.replace(OURS, OTHER))).status).toBe(200)
  expect((await boss.ask('DELETE', mine)).status).toBe(404)

  const { data, of_installation } = Members.parse(JSON.parse((await boss.ask('GET', members)).text))
  expect(data.map(({ email, role }) => [email, role])).toEqual([[boss.user.email, 'owner']])
  expect(of_installation.map(({ role }) => role).sort()).toEqual(['analyst', 'owner'])
  expect((await surface.actions()).slice(0, 2)).toEqual(['member.take', 'member.give'])
})

test('who loses the role while a body is still arriving changes nothing with it', async () => {
  const surface = await site()
  const ann = await surface.person('ann', { [OURS]: 'analyst' })
  const { app, tokens } = surface
  const admitted = Promise.withResolvers<void>()
  app.addHook('preParsing', ({ method }, _reply, payload, done) => {
    if (method === 'POST') admitted.resolve()
    done(null, payload)
  })
  const body = JSON.stringify({ list: 'deny', kind: 'asn', value: '64500' })
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  const sending = request(`${origin}/account/domains/${OURS}/lists`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${ann.token}`,
      'content-type': 'application/json',
      'content-length': body.length,
    },
  })
  const answered = new Promise<number | undefined>((resolve, reject) => {
    sending.on('response', (response) => resolve(response.resume().statusCode)).on('error', reject)
  })
  sending.write(body.slice(0, 1))
  await admitted.promise
  const taken = await app.inject({
    method: 'DELETE',
    url: `/account/domains/${OURS}/members/${ann.user.id}`,
    headers: { authorization: `Bearer ${tokens.owner}` },
  })
  expect(taken.statusCode).toBe(204)
  sending.end(body.slice(1))
  expect(await answered).toBe(404)
  expect(await surface.actions()).not.toContain('lists.save')
})
