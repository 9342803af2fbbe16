import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer } from '../running-server.ts'
import { PLAIN_404, rawRequest, shapeOf } from './raw-request.ts'

let server: Awaited<ReturnType<typeof startTestServer>>
beforeAll(async () => {
  server = await startTestServer({
    settings: (port) => ({
      HISTORY_URL: `http://history.test:${port}`,
      MANAGEMENT_URL: `http://management.test:${port}`,
      INGEST_URL: `http://ingest.test:${port}`,
      AGENT_URL: `http://agent.test:${port}`,
      HISTORY_LIMIT_PER_SECOND: '1',
      MANAGEMENT_LIMIT_PER_MINUTE: '1',
      INGEST_LIMIT_PER_MINUTE: '1',
    }),
  })
})
afterAll(() => server.close())

test.each(['history.test', 'management.test', 'ingest.test', 'agent.test', 'anything.else', '127.0.0.1'])(
  '4.4 GET /health answers on every host without authentication: %s',
  async (host) => {
    const answer = await rawRequest(server, { path: '/health', headers: { host: `${host}:${server.port}` } })
    expect([answer.status, answer.headers['content-type'], answer.json()]).toEqual([
      200,
      'application/json',
      { status: 'ok' },
    ])
  },
)

test('4.4 S10.7 HEAD /health is 200 without a body', async () => {
  const answer = await rawRequest(server, { path: '/health', method: 'HEAD' })
  expect([answer.status, answer.text]).toEqual([200, ''])
})

test('8 S10.11 health is never limited, and never counts', async () => {
  for (let count = 0; count < 40; count += 1)
    expect((await rawRequest(server, { path: '/health' })).status).toBe(200)
  const answer = await rawRequest(server, {
    path: '/v1/profile',
    headers: {
      host: `management.test:${server.port}`,
      authorization: `Bearer ${server.keys.secret_key}`,
      'x-svc-domain': 'shop.example',
    },
  })
  expect(answer.status).toBe(200)
})

test('4.4 it ignores credentials, also wrong ones, and unknown parameters', async () => {
  const answer = await rawRequest(server, { path: '/health?x=1', headers: { authorization: 'Bearer wrong' } })
  expect(answer.status).toBe(200)
})

test.each(['/api/health', '/health/', '/health/x', '/Health', '/healthz', '/', '/v1/health'])(
  '4.4 an unmatched path such as /api/health is the plain 404: %s',
  async (path) => {
    expect(shapeOf(await rawRequest(server, { path }))).toEqual(PLAIN_404)
  },
)

test.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])(
  'S10.7 %s /health is the plain 404',
  async (method) => {
    expect(shapeOf(await rawRequest(server, { path: '/health', method }))).toEqual(PLAIN_404)
  },
)
