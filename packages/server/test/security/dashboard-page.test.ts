import { SessionAnswer } from '@inkling/contract/account'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rawRequest } from '../contract/raw-request.ts'
import { ANALYST, PASSWORD } from '../dashboard/dashboard-server.ts'
import { type GuardedServer, startGuardedServer } from './guarded-server.ts'

/** The security headers of pages, and what other sites can do with a session. */

let server: GuardedServer
beforeAll(async () => {
  server = await startGuardedServer()
})
afterAll(() => server?.close())

async function policyOf(path: string): Promise<Map<string, string[]>> {
  const { status, headers } = await rawRequest(server, { path })
  expect(status, path).toBe(200)
  const policy = String(headers['content-security-policy'])
  return new Map(
    policy.split('; ').map((directive) => {
      const [name = '', ...values] = directive.split(' ')
      return [name, values]
    }),
  )
}

describe('the pages', () => {
  test.each(['/dashboard/', '/dashboard/domains/shop.example', '/docs'])(
    '%s runs nothing from elsewhere, nothing written into it, and in nobody’s frame',
    async (path) => {
      const policy = await policyOf(path)
      expect(policy.get('default-src')).toEqual(["'none'"])
      expect(policy.get('frame-ancestors')).toEqual(["'none'"])
      expect(policy.get('form-action')).toEqual(["'none'"])
      expect(policy.has('base-uri')).toBe(true)
      expect([undefined, "'self'"]).toContain(policy.get('script-src')?.join(' '))
      // The script of the reference contains its icon font.
      expect([undefined, 'data:']).toContain(policy.get('font-src')?.join(' '))
      policy.delete('font-src')
      for (const [directive, values] of policy)
        for (const value of values) expect(value, directive).toMatch(/^'(?:none|self|nonce-[\w+/=]{22,})'$/)
    },
  )

  test.each(['/dashboard/', '/docs'])('%s shares no window and no device with other sites', async (path) => {
    const { headers } = await rawRequest(server, { path })
    expect(headers['cross-origin-opener-policy']).toBe('same-origin')
    expect(headers['permissions-policy']).toMatch(/^camera=\(\), /)
  })

  test('every response has a new nonce for styles', async () => {
    const values = await Promise.all(
      Array.from({ length: 20 }, async () => (await policyOf('/dashboard/')).get('style-src')?.[1]),
    )
    expect(new Set(values).size).toBe(20)
  })

  test('text of the URL does not get into the page', async () => {
    const plain = await rawRequest(server, { path: '/dashboard/' })
    const marked = await rawRequest(server, {
      path: '/dashboard/"><script>alert(1)</script>?x=%22%3E%3Cscript%3E__CSP_NONCE__',
    })
    const nonces = /nonce="[\w+/=]+"/g
    expect(marked.text).not.toContain('alert(1)')
    expect(marked.text.length).toBe(plain.text.length)
    expect(marked.text.replaceAll(nonces, '')).toBe(plain.text.replaceAll(nonces, ''))
  })

  test('every file has its type, and browsers must not guess it', async () => {
    for (const path of [
      '/dashboard/',
      '/dashboard/color-scheme.js',
      '/dashboard/inkling.svg',
      '/docs',
      '/agent.js',
    ])
      expect((await rawRequest(server, { path })).headers['x-content-type-options'], path).toBe('nosniff')
  })
})

/** Headers of requests from a page of another origin. */
const FOREIGN: Record<string, string>[] = [
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'none' },
  { 'sec-fetch-site': 'same-origin, cross-site' },
  { origin: '' },
  { origin: 'https://localhost.evil.example' },
]

describe('a session', () => {
  const post = (path: string, headers: Record<string, string>, body?: string) =>
    rawRequest(server, { method: 'POST', path, headers, ...(body !== undefined && { body }) })

  async function logIn() {
    const body = JSON.stringify({ email: ANALYST, password: PASSWORD })
    const answer = await post('/account/login', { 'content-type': 'application/json' }, body)
    const [cookie = ''] = answer.headers['set-cookie'] ?? []
    return { cookie, session: SessionAnswer.parse(answer.json()) }
  }

  test('has a cookie that scripts, other sites and other paths cannot read', async () => {
    const { cookie, session } = await logIn()
    const [value = '', ...flags] = cookie.split('; ')
    expect(flags.filter((flag) => !flag.startsWith('Max-Age=')).sort()).toEqual([
      'HttpOnly',
      'Path=/account/session',
      'SameSite=Strict',
    ])
    expect(value).toMatch(/^inkling_refresh=[\w-]{22}\.[\w-]{43}$/)
    expect(JSON.stringify(session)).not.toContain(value.slice('inkling_refresh='.length))
  })

  test('cannot be started, renewed or ended by a page of another origin', async () => {
    const { cookie, session } = await logIn()
    const [value = ''] = cookie.split(';')
    const body = JSON.stringify({ email: ANALYST, password: PASSWORD })
    for (const headers of FOREIGN) {
      const label = JSON.stringify(headers)
      for (const path of ['refresh', 'logout']) {
        const answer = await post(`/account/session/${path}`, { cookie: value, ...headers })
        expect(answer.status, label).toBe(403)
        expect(answer.headers['set-cookie'], label).toBeUndefined()
      }
      const answer = await post('/account/login', { 'content-type': 'application/json', ...headers }, body)
      expect(answer.status, label).toBe(403)
    }
    const me = await server.account('GET', '/account/me', { token: session.access_token })
    expect(me.status).toBe(200)
    const renewed = await post('/account/session/refresh', {
      cookie: value,
      origin: server.url,
      'sec-fetch-site': 'same-origin',
    })
    expect(renewed.status).toBe(200)
  })

  test('needs an access token, which a form or a link of another site does not have', async () => {
    const { cookie } = await logIn()
    const [value = ''] = cookie.split(';')
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
    ]) {
      const answer = await post(
        '/account/domains',
        { cookie: value, 'content-type': type },
        '{"domain":"a.example"}',
      )
      expect(answer.status, type).toBe(401)
    }
    expect((await rawRequest(server, { path: '/account/domains', headers: { cookie: value } })).status).toBe(
      401,
    )
  })

  test('other origins cannot read responses of the account API and of the key routes', async () => {
    for (const path of [
      '/account/me',
      '/account/login',
      '/account/domains',
      '/api/v1/history/user_hid/x',
      '/v1/profile',
    ])
      for (const method of ['GET', 'OPTIONS']) {
        const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' }
        const answer = await rawRequest(server, { method, path, headers })
        expect(answer.headers['access-control-allow-origin'], `${method} ${path}`).toBeUndefined()
        expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
      }
  })
})

test('over HTTPS the cookie is Secure', async () => {
  const secure = await startGuardedServer({ settings: { MANAGEMENT_URL: 'https://tools.example' } })
  try {
    const answer = await rawRequest(secure, {
      method: 'POST',
      path: '/account/login',
      headers: { 'content-type': 'application/json', host: 'tools.example' },
      body: JSON.stringify({ email: ANALYST, password: PASSWORD }),
    })
    expect(answer.headers['set-cookie']?.[0]).toMatch(/; Secure$/)
  } finally {
    await secure.close()
  }
})
