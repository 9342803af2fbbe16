import { Secret, TOTP } from 'otpauth'
import { expect, test } from 'vitest'
import { type AccountSurface, accountSurface, PASSWORD } from '../../test/account/account-surface.ts'

const EMAIL = 'owner@shop.example'
const CHOSEN = 'seven quiet harbours'
const PROOF_MS = 300_000

const post = ({ ask }: AccountSurface, url: string, payload: object = {}) =>
  ask({ method: 'POST', url, payload })
const login = ({ ask }: AccountSurface, password = PASSWORD) =>
  ask({ method: 'POST', url: '/account/login', token: undefined, payload: { email: EMAIL, password } })
const secondStep = ({ ask }: AccountSurface, login_token: string, code: string) =>
  ask({
    method: 'POST',
    url: '/account/login/second-factor',
    token: undefined,
    payload: { login_token, code },
  })
const security = async ({ ask }: AccountSurface) => (await ask({ url: '/account/me/security' })).json()

/** What an authenticator app shows at the surface's time. */
const codeOf = (secret: string, { clock }: AccountSurface): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.nowMs })

/** Clients learn it from the server once. */
async function enrolled(surface: AccountSurface) {
  const { secret } = (await post(surface, '/account/me/authenticator')).json()
  const confirmed = await post(surface, '/account/me/authenticator/confirm', {
    code: codeOf(secret, surface),
  })
  expect(confirmed.statusCode).toBe(200)
  return { secret: String(secret), recoveryCodes: confirmed.json().recovery_codes as string[] }
}

const nextStep = ({ clock }: AccountSurface) => {
  clock.nowMs += 30_000
}

test('a user changes the own password with the old one, which ends the other sessions', async () => {
  const surface = await accountSurface()
  const { access_token: other } = (await login(surface)).json()
  const answer = await post(surface, '/account/me/password', { old_password: PASSWORD, new_password: CHOSEN })
  expect([answer.statusCode, answer.body]).toEqual([204, ''])
  expect((await surface.ask({ url: '/account/me', token: other })).statusCode).toBe(401)
  expect((await surface.ask({ url: '/account/me' })).statusCode).toBe(200)
  expect((await login(surface)).statusCode).toBe(401)
  expect((await login(surface, CHOSEN)).statusCode).toBe(200)
  expect(await surface.actions()).toContain('password.change')
})

test('of two changes at once with the old password one counts, and no login with it outlives that', async () => {
  const surface = await accountSurface()
  const { access_token: other } = (await login(surface)).json()
  const change = (token: string, new_password: string) =>
    surface.ask({
      method: 'POST',
      url: '/account/me/password',
      token,
      payload: { old_password: PASSWORD, new_password },
    })
  const [mine, theirs, ...logins] = await Promise.all([
    change(surface.tokens.owner, CHOSEN),
    change(other, 'eight loud deserts'),
    login(surface),
    login(surface),
  ])
  expect([mine.statusCode, theirs.statusCode].toSorted()).toEqual([204, 401])
  const tokens = logins.flatMap((answer) => (answer.statusCode === 200 ? [answer.json().access_token] : []))
  for (const token of tokens) expect((await surface.ask({ url: '/account/me', token })).statusCode).toBe(401)
})

test('a wrong old password, a short and a common new one change nothing', async () => {
  const surface = await accountSurface()
  const change = async (old_password: string, new_password: string) =>
    (await post(surface, '/account/me/password', { old_password, new_password })).statusCode
  expect(await change('wrong horse battery', CHOSEN)).toBe(403)
  expect(await change(PASSWORD, 'elevenchars')).toBe(400)
  expect(await change(PASSWORD, 'Password2026')).toBe(400)
  expect((await login(surface)).statusCode).toBe(200)
})

test('with an authenticator app the password alone signs nobody in', async () => {
  const surface = await accountSurface()
  const { secret } = await enrolled(surface)
  expect(await security(surface)).toMatchObject({ authenticator_app: true, recovery_codes_left: 10 })
  nextStep(surface)
  const first = await login(surface)
  expect(first.statusCode).toBe(200)
  expect(first.json()).toEqual({ login_token: expect.any(String), methods: ['code'], passkey_options: null })
  expect(first.headers).not.toHaveProperty('set-cookie')
  const second = await secondStep(surface, first.json().login_token, codeOf(secret, surface))
  expect(second.statusCode).toBe(200)
  expect((await surface.ask({ url: '/account/me', token: second.json().access_token })).statusCode).toBe(200)
})

test('a code works once: neither that of the enrolment, nor one that signed in, nor an older one', async () => {
  const surface = await accountSurface()
  const { secret } = await enrolled(surface)
  const attempt = async (code: string) =>
    (await secondStep(surface, (await login(surface)).json().login_token, code)).statusCode
  expect(await attempt(codeOf(secret, surface))).toBe(401)
  const older = codeOf(secret, surface)
  nextStep(surface)
  const code = codeOf(secret, surface)
  expect(await attempt(code)).toBe(200)
  expect(await attempt(code)).toBe(401)
  expect(await attempt(older)).toBe(401)
  expect(await surface.actions()).toContain('session.failed')
})

test('of two sign-ins with one code at the same moment one succeeds', async () => {
  const surface = await accountSurface()
  const { secret } = await enrolled(surface)
  nextStep(surface)
  const tokens = [(await login(surface)).json().login_token, (await login(surface)).json().login_token]
  const code = codeOf(secret, surface)
  const both = await Promise.all(tokens.map((token) => secondStep(surface, token, code)))
  expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 401])
})

test('a step of a sign-in ends after ten minutes, works once, and is no access token', async () => {
  const surface = await accountSurface()
  const { secret, recoveryCodes } = await enrolled(surface)
  const { login_token } = (await login(surface)).json()
  expect((await surface.ask({ url: '/account/me', token: login_token })).statusCode).toBe(401)
  expect((await secondStep(surface, login_token, recoveryCodes[0] ?? '')).statusCode).toBe(200)
  expect((await secondStep(surface, login_token, recoveryCodes[1] ?? '')).statusCode).toBe(401)
  const late = (await login(surface)).json().login_token
  surface.clock.nowMs += 600_000
  expect((await secondStep(surface, late, codeOf(secret, surface))).statusCode).toBe(401)
})

test('a recovery code signs in once, and new ones replace all of the old', async () => {
  const surface = await accountSurface()
  const { recoveryCodes } = await enrolled(surface)
  const attempt = async (code = '') =>
    (await secondStep(surface, (await login(surface)).json().login_token, code)).statusCode
  expect(await attempt(recoveryCodes[3]?.toUpperCase())).toBe(200)
  expect(await attempt(recoveryCodes[3])).toBe(401)
  expect((await security(surface)).recovery_codes_left).toBe(9)
  const renewed = (await post(surface, '/account/me/recovery-codes')).json().recovery_codes
  expect(await attempt(recoveryCodes[4])).toBe(401)
  expect(await attempt(renewed[0])).toBe(200)
})

test('codes are guessed ten times, then not for a quarter of an hour, although the password is right', async () => {
  let address = 0
  const surface = await accountSurface({ clientAddress: () => `198.51.100.${address >> 3}` })
  const { secret } = await enrolled(surface)
  nextStep(surface)
  const { login_token } = (await login(surface)).json()
  const guess = async (code: string) => {
    address += 1
    return (await secondStep(surface, login_token, code)).statusCode
  }
  const statuses = []
  for (let count = 0; count < 31; count += 1) statuses.push(await guess('000000'))
  expect(statuses).toEqual([...Array(30).fill(401), 429])
  expect(await guess(codeOf(secret, surface))).toBe(429)
})

test('an app is in force only after a right code, and without it nothing has changed', async () => {
  const surface = await accountSurface()
  await post(surface, '/account/me/authenticator')
  const wrong = await post(surface, '/account/me/authenticator/confirm', { code: '000000' })
  expect(wrong.statusCode).toBe(400)
  expect((await login(surface)).json()).toHaveProperty('access_token')
})

test('removing the app brings back the sign-in with the password and drops the recovery codes', async () => {
  const surface = await accountSurface()
  await enrolled(surface)
  const url = '/account/me/authenticator'
  expect((await surface.ask({ method: 'DELETE', url })).statusCode).toBe(204)
  expect((await login(surface)).json()).toHaveProperty('access_token')
  expect((await security(surface)).recovery_codes_left).toBe(0)
})

test('the secret of an app is encrypted in the database, recovery codes are hashes', async () => {
  const surface = await accountSurface()
  const { secret, recoveryCodes } = await enrolled(surface)
  const users = await surface.store.reads.selectFrom('users').selectAll().execute()
  const codes = await surface.store.reads.selectFrom('recovery_codes').selectAll().execute()
  const stored = [...users.map((user) => user.totp_secret), ...codes.map((row) => row.code_hash)]
  for (const bytes of stored.filter((value) => value !== null))
    for (const text of [secret, ...recoveryCodes])
      expect(Buffer.from(bytes).toString('latin1')).not.toContain(text)
  expect(codes).toHaveLength(10)
})

test('an owner removes the second factor of somebody who lost it, which ends their sessions', async () => {
  const surface = await accountSurface()
  await enrolled(surface)
  await surface.ask({
    method: 'PATCH',
    url: `/account/users/${surface.analyst.id}`,
    payload: { role: 'owner' },
  })
  const url = `/account/users/${surface.owner.id}/second-factor`
  const removed = await surface.ask({ method: 'DELETE', url, token: surface.tokens.analyst })
  expect(removed.statusCode).toBe(204)
  expect((await surface.ask({ url: '/account/me' })).statusCode).toBe(401)
  expect((await login(surface)).json()).toHaveProperty('access_token')
})

test('five minutes after the proof a session asks for a new one, and a password gives it', async () => {
  const surface = await accountSurface()
  const rotate = async () =>
    (await post(surface, '/account/domains/shop.example/keys/secret/rotate')).statusCode
  expect(await rotate()).toBe(200)
  surface.clock.nowMs += PROOF_MS
  expect(await rotate()).toBe(403)
  expect((await post(surface, '/account/me/proof', { password: 'wrong horse battery' })).statusCode).toBe(403)
  expect(await rotate()).toBe(403)
  expect((await post(surface, '/account/me/proof', { password: PASSWORD })).statusCode).toBe(204)
  expect(await rotate()).toBe(200)
})

test('a refresh is no proof', async () => {
  const surface = await accountSurface()
  const opened = await login(surface)
  const cookie = String(opened.headers['set-cookie']?.[0]).split(';', 1)[0] ?? ''
  surface.clock.nowMs += PROOF_MS
  const url = '/account/session/refresh'
  const { access_token: token } = (
    await surface.ask({ method: 'POST', url, token: undefined, headers: { cookie } })
  ).json()
  const erase = { method: 'POST', url: '/account/domains/shop.example/privacy/erase', token } as const
  const payload = { type: 'user_hid', value: 'ada' }
  expect((await surface.ask({ ...erase, payload })).statusCode).toBe(403)
  for (const path of ['identifications/export?format=csv', 'privacy/export?type=user_hid&value=ada'])
    expect(
      (await surface.ask({ url: `/account/domains/shop.example/${path}`, token })).statusCode,
      path,
    ).toBe(403)
})

test('a user sees the own sessions and ends one, and nobody else’s', async () => {
  const surface = await accountSurface()
  const opened = await surface.ask({
    method: 'POST',
    url: '/account/login',
    token: undefined,
    payload: { email: EMAIL, password: PASSWORD },
    headers: { 'user-agent': 'Browser of Ada' },
  })
  const { sessions } = await security(surface)
  expect(sessions).toEqual([
    expect.objectContaining({ current: false, browser: 'Browser of Ada' }),
    expect.objectContaining({ current: true }),
  ])
  const end = async (id: number, token?: string) =>
    (
      await surface.ask({
        method: 'DELETE',
        url: `/account/me/sessions/${id}`,
        ...(token !== undefined && { token }),
      })
    ).statusCode
  expect(await end(sessions[0].id, surface.tokens.analyst)).toBe(404)
  expect(await end(sessions[0].id)).toBe(204)
  const { access_token: token } = opened.json()
  expect((await surface.ask({ url: '/account/me', token })).statusCode).toBe(401)
})
