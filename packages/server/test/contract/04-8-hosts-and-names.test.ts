import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runningServer, startTestServer } from '../running-server.ts'
import { webhookReceiver } from '../webhook-receiver.ts'
import { ordinaryBody } from './bodies.ts'
import { historyPage, identify } from './callers.ts'
import { addWebhook, pingWebhook } from './endpoints.ts'
import { PLAIN_404, type RawRequest, rawRequest, shapeOf } from './raw-request.ts'
import { ROOMY_SETTINGS } from './roomy-settings.ts'

const HOSTS = ['history', 'management', 'ingest', 'agent'] as const
type Host = (typeof HOSTS)[number]

let server: Awaited<ReturnType<typeof startTestServer>>
beforeAll(async () => {
  server = await startTestServer({
    settings: (port) => ({
      ...ROOMY_SETTINGS,
      HISTORY_URL: `http://history.test:${port}`,
      MANAGEMENT_URL: `http://management.test:${port}`,
      INGEST_URL: `http://ingest.test:${port}`,
      AGENT_URL: `http://agent.test:${port}`,
    }),
  })
})
afterAll(() => server.close())

const at = (host: string, request: RawRequest) =>
  rawRequest(server, { ...request, headers: { ...request.headers, host } })

/** One valid request of each surface; only its host may be wrong. */
const requests = (): [Host, number, RawRequest][] => {
  const { keys } = server
  const bearer = { authorization: `Bearer ${keys.api_key}` }
  const secret = { authorization: `Bearer ${keys.secret_key}`, 'x-svc-domain': keys.domain }
  const pub = `/pub/${keys.public_key}/${keys.secret_key}`
  const page = { origin: 'https://shop.example' }
  const key = `?publicKey=${keys.public_key}`
  return [
    ['history', 200, { path: '/api/v1/history/user_hid/a', headers: bearer }],
    ['history', 200, { path: `${pub}/history/user_hid/a` }],
    ['history', 404, { path: `${pub}/request/${randomUUID()}` }],
    ['management', 200, { path: '/v1/profile', headers: secret }],
    ['management', 200, { path: '/v1/history/user_hid/a', headers: secret }],
    ['management', 200, { path: `/${keys.domain}:${keys.secret_key}/profile` }],
    ['management', 400, { path: `/${keys.domain}:${keys.secret_key}/callback`, method: 'POST', body: 'x' }],
    ['ingest', 200, { path: `/snapshot/${randomUUID()}${key}`, method: 'POST', headers: page, body: '{}' }],
    ['ingest', 204, { path: `/snapshot/${randomUUID()}`, method: 'OPTIONS', headers: page }],
    ['ingest', 200, { path: `/noscript${key}`, headers: { referer: 'https://shop.example/' } }],
    ['agent', 200, { path: `/agent.js${key}` }],
    ['agent', 200, { path: `/snippet.js${key}` }],
  ]
}

describe('4 separate hosts', () => {
  test.each(HOSTS)(
    'a surface answers on its own host, and its paths are the plain 404 on %s when foreign',
    async (host) => {
      for (const [owner, status, request] of requests()) {
        const answer = await at(`${host}.test:${server.port}`, request)
        if (owner === host) expect([request.path, answer.status]).toEqual([request.path, status])
        else expect([request.path, shapeOf(answer)]).toEqual([request.path, PLAIN_404])
      }
    },
  )

  test('on any other host every path is the plain 404', async () => {
    for (const host of ['unknown.test', `127.0.0.1:${server.port}`, `history.test.evil:${server.port}`, ''])
      for (const [, , request] of requests()) expect(shapeOf(await at(host, request))).toEqual(PLAIN_404)
  })

  test('the case of a host does not matter', async () => {
    for (const [owner, status, request] of requests())
      expect((await at(`${owner.toUpperCase()}.Test:${server.port}`, request)).status).toBe(status)
  })

  test('links of the server use the public URLs', async () => {
    const { keys, port } = server
    const loader = await at(`agent.test:${port}`, { path: `/agent.js?publicKey=${keys.public_key}` })
    const path = /from"\.([^"]+)"/.exec(loader.text)?.[1] ?? ''
    const script = await at(`agent.test:${port}`, { path })
    expect(script.text).toContain(`"ingestUrl":"http://ingest.test:${port}"`)
    const deprecated = await at(`management.test:${port}`, { path: '/v1/history/user_hid/a' })
    expect(deprecated.headers.link).toBe(
      `<http://history.test:${port}/api/v1/history>; rel="successor-version"`,
    )
  })
})

describe('4 public URLs with the default port', () => {
  let own: Awaited<ReturnType<typeof startTestServer>>
  beforeAll(async () => {
    own = await startTestServer({
      settings: {
        ...ROOMY_SETTINGS,
        HISTORY_URL: 'https://history.test',
        MANAGEMENT_URL: 'http://management.test',
        INGEST_URL: 'https://ingest.test/api',
        AGENT_URL: 'https://ingest.test/api',
      },
    })
  })
  afterAll(() => own.close())

  const statusOf = async (host: string, path: string) =>
    (await rawRequest(own, { path, headers: { host, authorization: `Bearer ${own.keys.api_key}` } })).status

  test.each([
    ['history.test', '/api/v1/history/latest/all'],
    ['management.test', `/shop.example:SECRET/profile`],
  ])('%s is the same host with that port and with the dot of the root', async (host, template) => {
    const path = template.replace('SECRET', own.keys.secret_key)
    const port = host === 'history.test' ? 443 : 80
    for (const name of [host, `${host}:${port}`, `${host}.`, `${host}.:${port}`])
      expect([name, await statusOf(name, path)]).toEqual([name, 200])
    for (const name of [`${host}:8443`, `${host}..`, `${host}:${port === 443 ? 80 : 443}`])
      expect([name, await statusOf(name, path)]).toEqual([name, 404])
  })

  test('4.1 4.4 the path of one URL does not exist on the host of another', async () => {
    expect(await statusOf('history.test', '/api/v1/history/latest/all')).toBe(200)
    for (const host of ['history.test', 'management.test'])
      for (const path of ['/api/api/v1/history/latest/all', '/api/health'])
        expect(shapeOf(await rawRequest(own, { path, headers: { host } }))).toEqual(PLAIN_404)
    const agent = `/agent.js?publicKey=${own.keys.public_key}`
    expect(await statusOf('ingest.test', `/api${agent}`)).toBe(200)
  })
})

describe('4 one host for URLs with different paths', () => {
  const settings = {
    ...ROOMY_SETTINGS,
    HISTORY_URL: 'https://shop.test',
    MANAGEMENT_URL: 'https://shop.test',
    INGEST_URL: 'https://shop.test/assets',
    AGENT_URL: 'https://shop.test/assets',
  }

  test('the path leads to its own surfaces only', async () => {
    const own = await runningServer({ settings })
    const { api_key, public_key, secret_key } = own.keys
    const at = (path: string) => rawRequest(own, { path, headers: { authorization: `Bearer ${api_key}` } })
    const history = '/api/v1/history/latest/all'
    expect((await at(history)).status).toBe(200)
    expect((await at(`/assets/agent.js?publicKey=${public_key}`)).status).toBe(200)
    for (const path of [history, `/shop.example:${secret_key}/profile`, '/dashboard'])
      expect(shapeOf(await at(`/assets${path}`))).toEqual(PLAIN_404)
  })

  test('a path that would take the requests of another surface is refused', async () => {
    const taking = { ...settings, INGEST_URL: 'https://shop.test/api' }
    await expect(runningServer({ settings: taking })).rejects.toMatchObject({ code: 'INK_CONFIG' })
  })
})

test('4 if all surfaces share one host, they answer on any host name', async () => {
  const own = await runningServer({ settings: ROOMY_SETTINGS })
  for (const host of ['localhost', '10.1.2.3:8080', 'whatever.test', '']) {
    const answer = await rawRequest(own, {
      path: '/api/v1/history/latest/all',
      headers: { host, authorization: `Bearer ${own.keys.api_key}` },
    })
    expect(answer.status).toBe(200)
  }
})

describe('S SERVICE_NAME renames the headers', () => {
  test('X-Acme-Domain, X-Acme-Signature and X-Acme-Event-Id replace the X-Svc headers, which are ignored', async () => {
    const receiver = await webhookReceiver()
    const own = await runningServer({
      settings: { SERVICE_NAME: 'Acme', WEBHOOK_RETRIES: '1' },
      endpoints: [receiver.url],
    })
    const profile = (header: string) =>
      rawRequest(own, {
        path: '/v1/profile',
        headers: { authorization: `Bearer ${own.keys.secret_key}`, [header]: 'shop.example' },
      })
    expect((await profile('x-acme-domain')).status).toBe(200)
    expect((await profile('x-svc-domain')).status).toBe(401)

    await identify(own, randomUUID(), ordinaryBody())
    const [delivery] = await receiver.count(1)
    expect(delivery?.headerNames).toEqual(expect.arrayContaining(['X-Acme-Signature', 'X-Acme-Event-Id']))
    expect(delivery?.headerNames.join().toLowerCase()).not.toContain('svc')

    const { id } = await addWebhook(own, receiver.url)
    await pingWebhook(own, id, { serviceName: 'Acme' })
    expect((await receiver.count(2))[1]?.headerNames).toContain('X-Acme-Signature')
    expect((await historyPage(own, 'latest/all')).total).toBe(1)

    const { text } = await rawRequest(own, { path: '/openapi.json' })
    for (const name of ['Domain', 'Signature', 'Event-Id']) expect(text).toContain(`X-Acme-${name}`)
    expect(text).not.toContain('X-Svc-')
  })
})
