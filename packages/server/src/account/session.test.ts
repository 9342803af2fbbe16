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
  expect(answer.headers['set-cookie']).toMatch(
    /^inkling_refresh=[\w.-]+; Path=\/account\/session; Max-Age=604800; HttpOnly; SameSite=Strict$/,
  )
  const me = await surface.ask({ url: '/account/me', token: access_token })
  expect(me.json()).toEqual(user)
})

test('over HTTPS the cookie is Secure, and its path is below the base path', async () => {
  const surface = await accountSurface({ baseUrl: 'https://tools.example/inkling' })
  const cookie = (await signIn(surface)).headers['set-cookie']
  expect(cookie).toMatch(/; Path=\/inkling\/account\/session; .*; SameSite=Strict; Secure$/)
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

test('a cookie used twice ends the session, its access tokens and the newer cookie', async () => {
  const surface = await accountSurface()
  const first = await signIn(surface)
  const second = await withCookie(surface, 'refresh', cookieOf(first))
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

test('an account has ten attempts from all addresses together; a success resets the count', async () => {
  const surface = await accountSurface({ clientAddress: () => randomUUID() })
  const guess = async () => (await signIn(surface, { ...CREDENTIALS, password: 'wrong' })).statusCode
  for (let count = 0; count < 9; count += 1) expect(await guess()).toBe(401)
  expect((await signIn(surface)).statusCode).toBe(200)
  for (let count = 0; count < 10; count += 1) expect(await guess()).toBe(401)
  expect(await guess()).toBe(429)
  expect((await signIn(surface)).statusCode).toBe(429)
  const other = await signIn(surface, { email: 'analyst@shop.example', password: PASSWORD })
  expect(other.statusCode).toBe(200)
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
