import { Secret, TOTP } from 'otpauth'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addUser } from '../../src/auth/users.ts'
import { from } from '../contract/roomy-settings.ts'
import { ANALYST, OWNER, PASSWORD } from '../dashboard/dashboard-server.ts'
import { type GuardedServer, startGuardedServer } from '../security/guarded-server.ts'

/** Somebody who wants a login that belongs to another, or wants its owner to lose it. */

let server: GuardedServer
const clock = { nowMs: Date.now() }
beforeAll(async () => {
  server = await startGuardedServer({ now: () => clock.nowMs })
})
afterAll(() => server?.close())

interface Answer {
  status: number
  json: Record<string, unknown>
  cookies: string[]
}

let networks = 0
/** Of a network that has sent nothing so far. */
const elsewhere = () => {
  networks += 1
  return from(`198.18.${networks >> 8}.${networks & 255}`)
}

async function post(path: string, body: object, headers: Record<string, string> = {}): Promise<Answer> {
  const answer = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...elsewhere(), ...headers },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  return {
    status: answer.status,
    json: text === '' ? {} : JSON.parse(text),
    cookies: answer.headers.getSetCookie().map((cookie) => cookie.split(';', 1)[0] ?? ''),
  }
}

const bearer = (token: unknown) => ({ authorization: `Bearer ${String(token)}` })
const logIn = (email: string, password: string, headers = {}) =>
  post('/account/login', { email, password }, headers)

test('guesses from forty networks lock no device out that its user signed in with', async () => {
  const [, device = ''] = (await logIn(OWNER, PASSWORD)).cookies
  expect(device).toMatch(/^inkling_device=/)
  const statuses = []
  for (let network = 0; network < 40; network += 1)
    statuses.push((await logIn(OWNER, 'guess after guess')).status)
  expect(statuses).toEqual([...Array(30).fill(401), ...Array(10).fill(429)])
  expect((await logIn(OWNER, PASSWORD)).status).toBe(429)
  expect((await logIn(OWNER, PASSWORD, { cookie: device })).status).toBe(200)
})

test('a code that somebody looked at over a shoulder is worth nothing once it was used', async () => {
  const { access_token: token } = (await logIn(ANALYST, PASSWORD)).json
  const { secret } = (await post('/account/me/authenticator', {}, bearer(token))).json
  const code = () =>
    new TOTP({ secret: Secret.fromBase32(String(secret)) }).generate({ timestamp: clock.nowMs })
  await post('/account/me/authenticator/confirm', { code: code() }, bearer(token))
  clock.nowMs += 30_000
  const attempt = async () => {
    const { login_token } = (await logIn(ANALYST, PASSWORD)).json
    return post('/account/login/second-factor', { login_token, code: code() })
  }
  const both = await Promise.all([attempt(), attempt()])
  expect(both.map(({ status }) => status).sort()).toEqual([200, 401])
  expect((await attempt()).status).toBe(401)
})

test('who takes a refresh cookie and its owner cannot both go on with it', async () => {
  const added = await post(
    '/account/invitations',
    { email: 'mira@shop.example', role: 'owner' },
    bearer((await freshOwner()).token),
  )
  const invitation = new URL(String(added.json.link)).hash.slice(1)
  await post('/account/invitations/accept', { token: invitation, password: 'seven quiet harbours' })
  const [cookie = ''] = (await logIn('mira@shop.example', 'seven quiet harbours')).cookies
  const refresh = (value = '') => post('/account/session/refresh', {}, { cookie: value })
  const thief = await refresh(cookie)
  const owner = await refresh(cookie)
  // Within a minute nobody can tell a thief from a second tab, but they hold the same next cookie.
  expect(owner.cookies).toEqual(thief.cookies)
  const further = await refresh(thief.cookies[0])
  expect(further.status).toBe(200)
  clock.nowMs += 60_000
  expect((await refresh(owner.cookies[0])).status).toBe(401)
  expect((await refresh(further.cookies[0])).status).toBe(401)
})

test('an open browser gives no keys, no data and no users five minutes after its owner left', async () => {
  const { token } = await freshOwner()
  clock.nowMs += 300_000
  const there = '/account/domains/shop.example'
  for (const [method, path, body] of [
    ['POST', `${there}/keys/api/rotate`, {}],
    ['POST', `${there}/privacy/erase`, { type: 'user_hid', value: 'ada' }],
    ['GET', `${there}/privacy/export?type=user_hid&value=ada`, undefined],
    ['GET', `${there}/identifications/export?format=csv`, undefined],
    ['GET', `${there}/patterns/export?format=csv`, undefined],
    ['POST', `${there}/endpoints`, { url: 'https://friend.example/' }],
    ['POST', `${there}/alert-channels`, { name: 'x', settings: { type: 'mail', to: 'friend@x.example' } }],
    ['POST', '/account/invitations', { email: 'friend@shop.example', role: 'owner' }],
  ] as const) {
    const answer = await server.account(method, path, { token, ...(body && { body }) })
    expect([answer.status, answer.json], path).toEqual([403, { error: 'confirm who you are first' }])
  }
})

/** An owner who has just signed in, whatever the limits are by now. */
async function freshOwner(): Promise<{ token: string }> {
  const email = `owner${networks}@shop.example`
  await addUser(
    server.store,
    { email, password: PASSWORD, role: 'owner' },
    { actor: 'test', nowMs: clock.nowMs },
  )
  return { token: String((await logIn(email, PASSWORD)).json.access_token) }
}
