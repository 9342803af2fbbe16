import type { SignedInUser } from '@inkling/contract/account'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { OWNER, startDashboardServer } from '../dashboard/dashboard-server.ts'
import type { TestServer } from '../running-server.ts'
import {
  CLIENT_ID,
  CLIENT_SECRET,
  type ProviderServer,
  planProvider,
  providerBrowser,
  signInAtProvider,
} from './provider-server.ts'

/** Signing in with OpenID Connect, against a real provider. */

let server: TestServer & { close(): Promise<void> }
let provider: ProviderServer
let returnUrl: string
beforeAll(async () => {
  const plan = await planProvider()
  server = await startDashboardServer({
    settings: {
      OIDC_ISSUER: plan.issuer,
      OIDC_CLIENT_ID: CLIENT_ID,
      OIDC_CLIENT_SECRET: CLIENT_SECRET,
      OIDC_EMAIL_DOMAINS: 'shop.example',
      OIDC_OWNER_GROUP: 'inkling-owners',
    },
  })
  returnUrl = `http://localhost:${server.port}/dashboard/login/return`
  provider = await plan.start(returnUrl)
  provider.people.set('grace', { email: 'Grace@shop.example', email_verified: true })
})
afterAll(async () => {
  provider?.close()
  await server?.close()
})

interface Answer {
  status: number
  json: { error?: string; access_token?: string; user?: SignedInUser; url?: string }
  cookie: string
}

async function post(path: string, body: object, cookie = ''): Promise<Answer> {
  const answer = await fetch(`${server.url}/account/login/${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie },
    body: JSON.stringify(body),
  })
  const [set = ''] = answer.headers.getSetCookie()
  return {
    status: answer.status,
    json: (await answer.json()) as Answer['json'],
    cookie: set.split(';')[0] ?? '',
  }
}

/** Leaves for the provider, signs in there and comes back. */
async function leave(name: string) {
  const started = await post('provider', {})
  const back = await signInAtProvider(started.json.url ?? '', name, returnUrl)
  return { cookie: started.cookie, parameters: back.search.slice(1) }
}

async function signIn(name: string): Promise<Answer> {
  const { cookie, parameters } = await leave(name)
  return post('provider/return', { parameters }, cookie)
}

test('the login page learns the provider’s name', async () => {
  const answer = await fetch(`${server.url}/account/login`)
  expect(await answer.json()).toEqual({ identity_provider: new URL(provider.issuer).host })
})

test('somebody of an admitted domain becomes an analyst, and is recognised when the address changes', async () => {
  const first = await signIn('grace')
  expect([first.status, first.json.user]).toEqual([
    200,
    { id: expect.any(Number), email: 'grace@shop.example', role: 'analyst' },
  ])
  provider.people.set('grace', { email: 'hopper@shop.example', email_verified: true })
  expect((await signIn('grace')).json.user).toEqual(first.json.user)
  // Who has the old address now is somebody else.
  provider.people.set('impostor', { email: 'grace@shop.example', email_verified: true })
  const taken = await signIn('impostor')
  expect([taken.status, taken.json.error]).toEqual([
    401,
    'this e-mail address belongs to somebody else at the identity provider',
  ])
})

test('an unconfirmed address and one of another domain are refused', async () => {
  provider.people.set('liar', { email: OWNER, email_verified: false })
  provider.people.set('stranger', { email: 'eve@elsewhere.example', email_verified: true })
  expect((await signIn('liar')).json.error).toMatch(/does not confirm your e-mail address/)
  expect((await signIn('stranger')).json.error).toMatch(/e-mail domain may not sign in/)
})

test('the group of owners makes an owner, and leaving it an analyst', async () => {
  provider.people.set('ada', { email: 'ada@shop.example', email_verified: true, groups: ['inkling-owners'] })
  expect((await signIn('ada')).json.user?.role).toBe('owner')
  provider.people.set('ada', { email: 'ada@shop.example', email_verified: true, groups: ['others'] })
  expect((await signIn('ada')).json.user?.role).toBe('analyst')
})

test('an answer works once, and only in the browser that asked for it', async () => {
  const { cookie, parameters } = await leave('grace')
  expect((await post('provider/return', { parameters })).status).toBe(401)
  const other = await post('provider', {})
  expect((await post('provider/return', { parameters }, other.cookie)).status).toBe(401)
  expect((await post('provider/return', { parameters }, cookie)).status).toBe(200)
  expect((await post('provider/return', { parameters }, cookie)).status).toBe(401)
})

test('a changed state, and a code of another sign-in, are refused', async () => {
  const mine = await leave('grace')
  const changed = new URLSearchParams(mine.parameters)
  changed.set('state', 'x'.repeat(43))
  expect((await post('provider/return', { parameters: changed.toString() }, mine.cookie)).status).toBe(401)

  const victim = await leave('grace')
  const attacker = await leave('grace')
  const injected = new URLSearchParams(attacker.parameters)
  injected.set('code', new URLSearchParams(victim.parameters).get('code') ?? '')
  expect((await post('provider/return', { parameters: injected.toString() }, attacker.cookie)).status).toBe(
    401,
  )
})

test('what the provider refuses signs nobody in, and is counted in the audit log', async () => {
  const { cookie } = await leave('grace')
  const refused = await post('provider/return', { parameters: 'error=access_denied' }, cookie)
  expect(refused.status).toBe(401)
  const [latest] = await server.store.reads
    .selectFrom('audit')
    .selectAll()
    .orderBy('id', 'desc')
    .limit(1)
    .execute()
  expect(latest).toMatchObject({ action: 'session.failed', detail: '{"method":"identity provider"}' })
})

test('a sign-in is used up by the first answer, whatever comes of it, and the provider is asked once', async () => {
  const refused = await leave('grace')
  expect((await post('provider/return', { parameters: 'error=access_denied' }, refused.cookie)).status).toBe(
    401,
  )
  const again = await post('provider/return', { parameters: refused.parameters }, refused.cookie)
  expect([again.status, again.json.error]).toEqual([401, expect.stringContaining('was used already')])

  const { cookie, parameters } = await leave('grace')
  const before = provider.exchanges()
  const both = await Promise.all([1, 2, 3].map(() => post('provider/return', { parameters }, cookie)))
  expect(both.map(({ status }) => status).sort()).toEqual([200, 401, 401])
  expect(provider.exchanges() - before).toBe(1)
})

test('a proof asks for credentials although somebody took the request for them out of the address', async () => {
  const browser = providerBrowser()
  const comeBack = async (fresh: boolean) => {
    const started = await post('provider', { fresh })
    const url = new URL(started.json.url ?? '')
    url.searchParams.delete('prompt')
    browser.forms.length = 0
    const back = await signInAtProvider(url.href, 'grace', returnUrl, browser)
    return post('provider/return', { parameters: back.search.slice(1) }, started.cookie)
  }
  await comeBack(false)
  expect((await comeBack(false)).status).toBe(200)
  expect(browser.forms).toEqual([])
  expect((await comeBack(true)).status).toBe(200)
  expect(browser.forms).toContain('login')
})
