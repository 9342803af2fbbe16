import { createHmac } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify from 'fastify'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type DemoDeps, demoRoutes } from './demo-routes.ts'

const ID = '0191e7a0-1111-4222-8333-444455556666'
const API_KEY = 'sec_aaaaaaaa-bbbbbbbb-cccccccc'
const SECRET = 'whsec_00112233445566778899aabbccddeeff'
const NOW = Date.parse('2026-06-01T12:00:00.250Z')
const COOKIE = '3f0f3c52-8c4e-4a6b-9d0e-1f2a3b4c5d6e'
const ROW = { request_id: ID, cookie_id: COOKIE, score: 10, created_at: '2026-06-01 12:00:00.100' }
const EXPLANATION = { request_id: ID, score: 10, entries: [], clear: ['tor'], unknown: ['vpn'] }
const SITE_ONLY = {
  lists: [{ reason: 'for the site' }],
  labels: [{ note: 'for the site' }],
  decisions: [{ reasons: ['for the site'] }],
}

/** The History answers the demo reads, on a real socket. */
const history = { status: 200, rows: [] as unknown[], url: '', close: async () => {} }
let staticDir = ''
const endpoints: string[] = []

beforeEach(async () => {
  history.status = 200
  history.rows = [ROW]
  endpoints.length = 0
  staticDir = await mkdtemp(join(tmpdir(), 'inkling-demo-'))
  await writeFile(join(staticDir, 'index.html'), '<!doctype html><title>Inkling</title>')
  await writeFile(join(staticDir, 'demo.js'), 'export {}')

  const standIn = Fastify()
  standIn.get('/api/v1/history/request_id/:id', async (request, reply) => {
    if (request.headers.authorization !== `Bearer ${API_KEY}`) return reply.code(401).send({ error: 'key' })
    return reply.code(history.status).send({ data: history.rows, total: history.rows.length })
  })
  standIn.get('/api/v1/history/device_id/:id', async () => ({ data: history.rows, total: 1 }))
  standIn.get('/api/v1/explanation/:id', async () => ({ ...EXPLANATION, ...SITE_ONLY }))
  history.url = await standIn.listen({ host: '127.0.0.1', port: 0 })
  history.close = () => standIn.close()
})

afterEach(async () => {
  await history.close()
  await rm(staticDir, { recursive: true })
})

function openDemo(deps: Partial<DemoDeps> = {}) {
  const app = Fastify()
  app.register(
    demoRoutes({
      publicKey: '0'.repeat(32),
      apiKey: API_KEY,
      webhookSecret: () => SECRET,
      signatureHeader: 'X-Svc-Signature',
      historyUrl: history.url,
      agentUrl: 'https://agent.test/js',
      ingestUrl: 'https://ingest.test',
      demoUrl: 'http://localhost:8080/demo',
      staticDir,
      addWebhookEndpoint: async (url) => {
        endpoints.push(url)
      },
      now: () => NOW,
      ...deps,
    }),
  )
  return app
}

/** The cookies of a browser: the session of the demo and the agent's. */
const browser = (session: string, cookieId = COOKIE) =>
  `other=1; inkling_demo=${session.repeat(43)}; inkling_id=${cookieId}`
const MINE = browser('a')
const at = (url: string, host = 'localhost:8080', cookie = MINE) =>
  ({ method: 'GET', url, headers: { host, cookie } }) as const
const from = (cookie: string, url: string) => at(url, 'localhost:8080', cookie)

const delivery = (body: string, secret = SECRET) =>
  ({
    method: 'POST',
    url: '/demo/webhook',
    headers: {
      'content-type': 'application/json',
      'x-svc-signature': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    },
    payload: body,
  }) as const

const EVENT = `{"event_type":"identification.scored","data":{"request_id":"${ID}","note":"a\\u0026b"}}`

test('the page runs under a policy that names only the agent and the ingest host', async () => {
  const page = await openDemo().inject(at('/demo'))
  expect(page.statusCode).toBe(200)
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(page.headers['cache-control']).toBe('no-store')
  expect(page.headers['x-content-type-options']).toBe('nosniff')
  const policy = String(page.headers['content-security-policy'])
  expect(policy).toContain("script-src 'self' https://agent.test;")
  expect(policy).toContain("connect-src 'self' https://ingest.test wss://ingest.test;")
  expect(policy).not.toContain('unsafe')
})

test('the page opened on another host goes to the one its key belongs to', async () => {
  const app = openDemo()
  for (const host of ['127.0.0.1:8080', '[::1]:8080', 'example.test']) {
    const page = await app.inject(at('/demo', host))
    expect(page.statusCode).toBe(307)
    expect(page.headers.location).toBe('http://localhost:8080/demo')
  }
  const tagged = await app.inject(at('/demo?utm_source=x&gclid=1', '127.0.0.1:8080'))
  expect(tagged.headers.location).toBe('http://localhost:8080/demo?utm_source=x&gclid=1')
  expect((await app.inject(at('/demo', 'LOCALHOST:9999'))).statusCode).toBe(200)
  expect((await app.inject(at('/demo/'))).statusCode).toBe(200)
})

test('only the files of the page are served', async () => {
  const app = openDemo()
  await writeFile(join(staticDir, 'secret.txt'), 'no')
  expect((await app.inject(at('/demo/demo.js'))).headers['content-type']).toContain('text/javascript')
  expect((await app.inject(at('/demo/secret.txt'))).statusCode).toBe(404)
  expect((await app.inject(at('/demo/..%2Fpackage.json'))).statusCode).toBe(404)
  expect((await app.inject(at('/demo/demo.css'))).body).toContain('not built')
})

test('a session adds the webhook endpoint once and holds no secret', async () => {
  const app = openDemo()
  const [session] = await Promise.all([app.inject(at('/demo/session')), app.inject(at('/demo/session'))])
  expect(session.json()).toMatchObject({ publicKey: '0'.repeat(32), webhookReady: true })
  expect(session.json().signalTitles.tor).toBe('Tor network')
  expect(session.body).not.toContain('sec_')
  expect(endpoints).toEqual(['http://localhost:8080/demo/webhook'])
})

test('without an endpoint the session says so, and the next one tries again', async () => {
  let failures = 1
  const app = openDemo({
    addWebhookEndpoint: async () => {
      if (failures-- > 0) throw new Error('store is busy')
    },
  })
  expect((await app.inject(at('/demo/session'))).json().webhookReady).toBe(false)
  expect((await app.inject(at('/demo/session'))).json().webhookReady).toBe(true)
})

test('a verdict is the row, its explanation and the webhook as it arrived', async () => {
  const app = openDemo()
  expect((await app.inject(delivery(EVENT))).statusCode).toBe(204)
  const verdict = (await app.inject(at(`/demo/verdict/${ID.toUpperCase()}`))).json()
  expect(verdict).toMatchObject({
    row: ROW,
    explanation: EXPLANATION,
    webhook: { receivedAt: '2026-06-01T12:00:00.250Z', body: EVENT, verified: true, afterMs: 150 },
  })
  expect(JSON.stringify(verdict)).not.toContain(API_KEY)
  expect(JSON.stringify(verdict)).not.toContain('for the site')
})

test('a verdict without its webhook is a verdict', async () => {
  expect((await openDemo().inject(at(`/demo/verdict/${ID}`))).json()).not.toHaveProperty('webhook')
})

test.each([
  ['not scored yet', { rows: [] }, {}, ID, 404, 'not_scored'],
  ['the API key was rotated', {}, { apiKey: 'sec_old' }, ID, 401, 'api_key_rejected'],
  ['History is over its limit', { status: 429 }, {}, ID, 429, 'rate_limited'],
  ['History fails', { status: 503 }, {}, ID, 502, 'history_unavailable'],
  ['no request ID', {}, {}, 'abc', 400, 'invalid_request'],
  ['the nil request ID', {}, {}, '00000000-0000-0000-0000-000000000000', 400, 'invalid_request'],
])('%s', async (_, state, deps, id, status, code) => {
  Object.assign(history, state)
  const answer = await openDemo(deps).inject(at(`/demo/verdict/${id}`))
  expect(answer.statusCode).toBe(status)
  expect(answer.json()).toMatchObject({ code })
})

test('the page gets a session that scripts cannot read, once', async () => {
  const app = openDemo({ demoUrl: 'https://demo.test/demo' })
  const first = await app.inject({ url: '/demo/session' })
  const cookie = String(first.headers['set-cookie'])
  expect(cookie).toMatch(/^inkling_demo=[\w-]{43}; Path=\/demo; HttpOnly; SameSite=Strict; Secure$/)
  const again = await app.inject(from(cookie.split(';')[0] ?? '', '/demo/session'))
  expect(again.headers['set-cookie']).toBeUndefined()
})

test('only the browser that made a visit reads it: by its own cookie, or as the first to ask', async () => {
  const app = openDemo()
  const read = async (cookie: string) => (await app.inject(from(cookie, `/demo/verdict/${ID}`))).statusCode
  const stranger = browser('b', '5f0f3c52-8c4e-4a6b-9d0e-1f2a3b4c5d6e')
  expect(await read(stranger)).toBe(404)
  expect(await read('')).toBe(404)
  expect(await read(`inkling_id=${COOKIE}`)).toBe(404)
  expect(await read(MINE)).toBe(200)
  // Its session has the visit now, whatever another one knows of it.
  expect(await read(browser('b'))).toBe(404)

  const other = openDemo()
  history.rows = []
  const early = browser('c', '')
  expect((await other.inject(from(early, `/demo/verdict/${ID}`))).statusCode).toBe(404)
  history.rows = [ROW]
  expect((await other.inject(from(MINE, `/demo/verdict/${ID}`))).statusCode).toBe(404)
  expect((await other.inject(from(early, `/demo/verdict/${ID}`))).statusCode).toBe(200)
})

test('of a device the visits of other browsers are counted, and not for strangers', async () => {
  const app = openDemo()
  const theirs = { ...ROW, request_id: '0191e7a0-1111-4222-8333-444455556667', cookie_id: ID }
  history.rows = [ROW, theirs]
  const device = async (cookie: string) => (await app.inject(from(cookie, `/demo/device/${ID}`))).json()
  expect(await device(browser('b', ''))).toEqual({ visits: [], elsewhere: 0 })
  expect(await device(MINE)).toMatchObject({ visits: [{ request_id: ID }], elsewhere: 1 })
})

test('the visits of a device carry what the page compares, and no address', async () => {
  const app = openDemo()
  history.rows = [{ ...ROW, device_id: ID, ip: '192.0.2.1' }]
  const answer = await app.inject(at(`/demo/device/${ID}`))
  expect(answer.json().visits).toMatchObject([{ request_id: ID, device_id: ID, score: 10 }])
  expect(answer.body).not.toContain('192.0.2.1')
  const nil = await app.inject(at('/demo/device/00000000-0000-0000-0000-000000000000'))
  expect(nil.statusCode).toBe(400)
})

test('a forged delivery is shown as unverified and never hides the real one', async () => {
  const app = openDemo()
  const shown = async () => (await app.inject(at(`/demo/verdict/${ID}`))).json().webhook
  await app.inject(delivery(EVENT, 'whsec_wrong'))
  expect(await shown()).toMatchObject({ verified: false })
  await app.inject(delivery(EVENT))
  await app.inject(delivery(EVENT.replace('note', 'lies'), 'whsec_wrong'))
  expect(await shown()).toMatchObject({ verified: true, body: EVENT })
})

test('the receiver takes anything, keeps events, and leaves the parsers of other routes alone', async () => {
  const app = openDemo()
  app.post('/elsewhere', async (request) => request.body)
  for (const payload of ['', 'not json', 'null', '{"event_type":"webhook.ping"}']) {
    expect((await app.inject(delivery(payload))).statusCode).toBe(204)
  }
  expect((await app.inject(delivery('x'.repeat(70_000)))).statusCode).toBe(413)
  const other = await app.inject({ method: 'POST', url: '/elsewhere', payload: { parsed: true } })
  expect(other.json()).toEqual({ parsed: true })
})
