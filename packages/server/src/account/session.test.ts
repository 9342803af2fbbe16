import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { type AccountSurface, accountSurface, PASSWORD } from '../../test/account/account-surface.ts'

const CREDENTIALS = { email: 'Owner@shop.example', password: PASSWORD }

const signIn = ({ ask }: AccountSurface, payload: object = CREDENTIALS, headers = {}) =>
  ask({ method: 'POST', url: '/account/login', token: undefined, payload, headers })

const withCookie = ({ ask }: AccountSurface, path: string, cookie: string, headers = {}) =>
  ask({ method: 'POST', url: `/account/session/${path}`, token: undefined, headers: { cookie, ...headers } })

/** `name=value` of the refresh cookie in a response. */
const cookieOf = ({ headers }: { headers: Record<string, unknown> }): string =>
  String(headers['set-cookie']).split(';', 1)[0] ?? ''

test('a login answers an access token, and a cookie that scripts and other sites cannot use', async () => {
  const surface = await accountSurface()
  const answer = await signIn(surface)
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['cache-control']).toBe('no-store')
  const { access_token, expires_in, user } = answer.json()
  expect([expires_in, user]).toEqual([
    600,
    { id: surface.owner.id, email: 'owner@shop.example', role: 'owner' },
  ])
  expect(answer.headers['set-cookie']).toEqual([
    expect.stringMatching(
      /^inkling_refresh=[\w.-]+; Path=\/account\/session; Max-Age=604800; HttpOnly; SameSite=Strict$/,
    ),
    expect.stringMatching(
      /^inkling_device=[\w.-]+; Path=\/account\/login; Max-Age=15552000; HttpOnly; SameSite=Strict$/,
    ),
  ])
  const me = await surface.ask({ url: '/account/me', token: access_token })
  expect(me.json()).toEqual(user)
})

test('over HTTPS the cookie is Secure, and its path is below the base path', async () => {
  const surface = await accountSurface({ baseUrl: 'https://tools.example/inkling' })
  const cookies = (await signIn(surface)).headers['set-cookie']
  expect(cookies).toEqual([
    expect.stringMatching(/; Path=\/inkling\/account\/session; .*; SameSite=Strict; Secure$/),
    expect.stringMatching(/; Path=\/inkling\/account\/login; .*; SameSite=Strict; Secure$/),
  ])
})

test('a wrong password and an unknown address get the same answer', async () => {
  const surface = await accountSurface()
  const wrong = await signIn(surface, { ...CREDENTIALS, password: 'wrong horse' })
  const unknown = await signIn(surface, { ...CREDENTIALS, email: 'nobody@shop.example' })
  expect([wrong.statusCode, unknown.statusCode]).toEqual([401, 401])
  expect(wrong.body).toBe(unknown.body)
  for (const answer of [wrong, unknown]) expect(answer.headers).not.toHaveProperty('set-cookie')
})

test('an access token ends after ten minutes, and the cookie brings the next one', async () => {
  const surface = await accountSurface()
  const first = await signIn(surface)
  const { access_token } = first.json()
  surface.clock.nowMs += 600_000
  expect((await surface.ask({ url: '/account/me', token: access_token })).statusCode).toBe(401)

  const second = await withCookie(surface, 'refresh', cookieOf(first))
  expect(second.statusCode).toBe(200)
  expect(cookieOf(second)).not.toBe(cookieOf(first))
  expect((await surface.ask({ url: '/account/me', token: second.json().access_token })).statusCode).toBe(200)
})

test('a cookie used twice within a minute brings the same next cookie', async () => {
  const surface = await accountSurface()
  const first = await signIn(surface)
  const [second, lost] = [
    await withCookie(surface, 'refresh', cookieOf(first)),
    await withCookie(surface, 'refresh', cookieOf(first)),
  ]
  expect([second.statusCode, lost.statusCode]).toEqual([200, 200])
  expect(cookieOf(lost)).toBe(cookieOf(second))
  expect((await withCookie(surface, 'refresh', cookieOf(second))).statusCode).toBe(200)
})

test('a cookie used again later ends the session, its access tokens and the newer cookie', async () => {
  const surface = await accountSurface()
  const first = await signIn(surface)
  const second = await withCookie(surface, 'refresh', cookieOf(first))
  surface.clock.nowMs += 60_000
  const again = await withCookie(surface, 'refresh', cookieOf(first))
  expect(again.statusCode).toBe(401)
  expect(again.headers['set-cookie']).toMatch(/^inkling_refresh=; .*Max-Age=0/)
  expect((await withCookie(surface, 'refresh', cookieOf(second))).statusCode).toBe(401)
  expect((await surface.ask({ url: '/account/me', token: second.json().access_token })).statusCode).toBe(401)
  expect((await surface.actions())[0]).toBe('session.reused_token')
})

test('a logout ends the session at once', async () => {
  const surface = await accountSurface()
  const login = await signIn(surface)
  const answer = await withCookie(surface, 'logout', cookieOf(login))
  expect([answer.statusCode, answer.body]).toEqual([204, ''])
  expect(answer.headers['set-cookie']).toMatch(/^inkling_refresh=; .*Max-Age=0/)
  expect((await withCookie(surface, 'refresh', cookieOf(login))).statusCode).toBe(401)
  expect((await surface.ask({ url: '/account/me', token: login.json().access_token })).statusCode).toBe(401)
})

test('pages of other origins can neither sign in, nor refresh, nor sign out', async () => {
  const surface = await accountSurface()
  const cookie = cookieOf(await signIn(surface))
  for (const headers of [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://localhost:80.evil.example' },
    { origin: 'http://localhost:8081' },
    { origin: 'http://localhost:8080', 'sec-fetch-site': 'cross-site' },
  ]) {
    expect((await signIn(surface, CREDENTIALS, headers)).statusCode).toBe(403)
    for (const path of ['refresh', 'logout'])
      expect((await withCookie(surface, path, cookie, headers)).statusCode).toBe(403)
  }
  let good = cookie
  for (const headers of [
    { 'sec-fetch-site': 'same-origin' },
    { origin: 'https://tools.example:8443', host: 'tools.example:8443' },
    // A proxy has changed the host.
    { origin: 'http://localhost:8080', host: 'upstream' },
    { origin: 'https://tools.example', host: 'upstream', 'sec-fetch-site': 'same-origin' },
    {},
  ]) {
    const answer = await withCookie(surface, 'refresh', good, headers)
    expect(answer.statusCode, JSON.stringify(headers)).toBe(200)
    good = cookieOf(answer)
  }
})

test('an address has ten attempts a minute', async () => {
  const surface = await accountSurface()
  const tries = []
  for (let count = 0; count < 11; count += 1)
    tries.push((await signIn(surface, { email: `guess${count}@shop.example`, password: 'x' })).statusCode)
  expect(tries).toEqual([...Array(10).fill(401), 429])
  expect((await signIn(surface)).statusCode).toBe(429)
})

test('who guesses from everywhere locks unknown devices out of an account, not the one of its user', async () => {
  const surface = await accountSurface({ clientAddress: () => randomUUID() })
  const own = await signIn(surface)
  const device = String(own.headers['set-cookie']?.[1]).split(';', 1)[0] ?? ''
  const guess = async () => (await signIn(surface, { ...CREDENTIALS, password: 'wrong' })).statusCode
  for (let count = 0; count < 30; count += 1) expect(await guess()).toBe(401)
  expect(await guess()).toBe(429)
  expect((await signIn(surface)).statusCode).toBe(429)
  expect((await signIn(surface, CREDENTIALS, { cookie: device })).statusCode).toBe(200)
  // The cookie of one account opens no door of another.
  const other = { email: 'analyst@shop.example', password: PASSWORD }
  expect((await signIn(surface, other)).statusCode).toBe(200)
  const { data } = (await surface.ask({ url: '/account/audit', query: { limit: '200' } })).json()
  const actions = data.map(({ action, target }: Record<string, string>) => `${action} ${target}`)
  expect(actions.filter((entry: string) => entry === 'session.failed owner@shop.example')).toHaveLength(30)
  expect(actions.filter((entry: string) => entry === 'session.locked owner@shop.example')).toHaveLength(1)
})

test('too many attempts at once get 503 and leave threads for other work', async () => {
  const surface = await accountSurface({ clientAddress: () => randomUUID() })
  const answers = await Promise.all(
    Array.from({ length: 12 }, (_, index) => signIn(surface, { email: `a${index}@b`, password: 'x' })),
  )
  const statuses = answers.map(({ statusCode }) => statusCode)
  expect(statuses).toContain(503)
  expect(statuses.filter((status) => status === 401).length).toBeGreaterThanOrEqual(4)
})
