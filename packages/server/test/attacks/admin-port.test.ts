import { expect, test } from 'vitest'
import { freePort } from '../../src/lib/free-port.ts'
import { type RawRequest, rawRequest } from '../contract/raw-request.ts'
import { OWNER, PASSWORD } from '../dashboard/dashboard-server.ts'
import { appRoutes } from '../security/app-routes.ts'
import { startGuardedServer } from '../security/guarded-server.ts'

/** Somebody who reaches the public port looks for a way to the operators' surfaces. */

/** A path that a route answers, with something in the place of each parameter. */
const requestOf = (route: string): RawRequest => {
  const [method = '', path = ''] = route.split(' ')
  return { method, path: path.replace(/:\w+/g, 'x').replace('*', 'x') }
}

test('each route is on one of the two ports, and both answer whether the server runs', async () => {
  const [all, open, admin] = await Promise.all([appRoutes(), appRoutes('public'), appRoutes('admin')])
  const shared = open.filter((route) => admin.includes(route))
  expect(shared).toEqual(['GET /health', 'GET /ready'])
  // As the setting and the guide say.
  for (const moved of ['POST /mcp', 'POST /oauth/token', 'GET /sdk.tgz', 'GET /agent.tgz', 'GET /docs'])
    expect(admin).toContain(moved)
  expect([...new Set([...open, ...admin])].sort()).toEqual(all)
  for (const route of open)
    expect(route).toMatch(
      /^\S+ \/(agent|honeytokens|snippet|snapshot|ticket|noscript|embed|health|ready|demo|api\/v1|pub\/)/,
    )
})

test('the public port answers no route of the admin port, whatever the host, and the other way round', async () => {
  const port = await freePort('127.0.0.1')
  const server = await startGuardedServer({ settings: { ADMIN_PORT: String(port) } })
  try {
    const admin = { ...server, port, url: `http://127.0.0.1:${port}` }
    const authorization = `Bearer ${server.tokens.owner}`
    const only = async (side: 'public' | 'admin') =>
      (await appRoutes(side)).filter((route) => !/\/(health|ready)$/.test(route))
    const missing = await rawRequest(server, { path: '/no/such/path' })
    expect(missing.status).toBe(404)

    for (const route of await only('admin'))
      for (const headers of [
        {},
        { host: `localhost:${port}` },
        { 'x-forwarded-host': `localhost:${port}` },
      ]) {
        const answer = await rawRequest(server, {
          ...requestOf(route),
          headers: { authorization, 'x-svc-domain': 'shop.example', ...headers },
        })
        expect([answer.status, answer.text], `${route} ${JSON.stringify(headers)}`).toEqual([
          404,
          missing.text,
        ])
      }
    for (const route of await only('public')) {
      const answer = await rawRequest(admin, { ...requestOf(route), headers: { authorization } })
      expect(answer.status, route).toBe(404)
    }
    for (const path of ['/account/me', '/dashboard/', '/v1/profile']) {
      const answer = await rawRequest(admin, {
        path,
        headers: {
          authorization: path === '/v1/profile' ? `Bearer ${server.keys.secret_key}` : authorization,
          'x-svc-domain': 'shop.example',
        },
      })
      expect(answer.status, path).toBe(200)
    }
    for (const each of [server, admin]) expect((await rawRequest(each, { path: '/ready' })).status).toBe(200)
  } finally {
    await server.close()
  }
})

test('links and cookies of the dashboard name the admin port', async () => {
  const port = await freePort('127.0.0.1')
  const server = await startGuardedServer({ settings: { ADMIN_PORT: String(port) } })
  try {
    const url = `http://127.0.0.1:${port}`
    const signedIn = await fetch(`${url}/account/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: `http://localhost:${port}` },
      body: JSON.stringify({ email: OWNER, password: PASSWORD }),
    })
    expect(signedIn.status).toBe(200)
    const { access_token } = (await signedIn.json()) as { access_token: string }
    const invited = await fetch(`${url}/account/invitations`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${access_token}` },
      body: JSON.stringify({ email: 'grace@shop.example', role: 'analyst' }),
    })
    expect(await invited.json()).toMatchObject({
      link: expect.stringMatching(new RegExp(`^http://localhost:${port}/dashboard/invitation#`)),
    })
  } finally {
    await server.close()
  }
})
