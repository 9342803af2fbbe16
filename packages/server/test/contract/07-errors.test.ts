import { randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { openDirectory } from '../../src/auth/directory.ts'
import { createErrorHandler } from '../../src/http/error-handler.ts'
import { createRateLimit } from '../../src/lib/limits.ts'
import { createLog } from '../../src/lib/log.ts'
import { managementRoutes } from '../../src/management/management-routes.ts'
import { runningServer } from '../running-server.ts'
import { history, management } from './callers.ts'
import { operate } from './operator.ts'
import { PLAIN_404, rawRequest, shapeOf } from './raw-request.ts'

test('7 History 401, 429 and 500 have the specified body and type', async () => {
  const server = await runningServer({ settings: { HISTORY_LIMIT_PER_SECOND: '1' } })
  expect(shapeOf(await rawRequest(server, { path: '/api/v1/history/user_hid/a' }))).toEqual({
    status: 401,
    type: 'text/plain; charset=utf-8',
    text: '{"error":"missing or invalid authorization header"}\n',
  })
  const answers = await Promise.all([1, 2, 3].map(() => history(server, 'device_id/abc')))
  const shapes = answers.map(shapeOf).toSorted((a, b) => b.status - a.status)
  const tooMany = { status: 429, type: 'application/json', text: '{"error":"too many requests"}\n' }
  expect(shapes).toEqual([
    {
      status: 500,
      type: 'application/json',
      text: '{"error":"code: 53, message: Cannot convert string \'abc\' to type UUID"}\n',
    },
    tooMany,
    tooMany,
  ])
})

test('7 S7 Management 401 is empty without a Content-Type; 429 is JSON with a charset', async () => {
  const server = await runningServer({ settings: { MANAGEMENT_LIMIT_PER_MINUTE: '1' } })
  const unauthorized = await rawRequest(server, { path: '/v1/profile' })
  expect(shapeOf(unauthorized)).toEqual({ status: 401, type: undefined, text: '' })
  const blocked = shapeOf(await management(server, '/v1/profile'))
  expect({ ...blocked, text: blocked.text.trimEnd() }).toEqual({
    status: 429,
    type: 'application/json; charset=utf-8',
    text: '{"error":"too many requests"}',
  })
})

test('7 S7 Management 503 is sent when too many requests are in flight, without the deprecation headers', async () => {
  const server = await runningServer()
  await operate(server, async ({ store, box }) => {
    const app = Fastify()
    app.setErrorHandler(createErrorHandler(createLog('silent')))
    app.register(
      managementRoutes({
        directory: await openDirectory(store, box),
        store,
        secrets: box,
        limit: createRateLimit(
          { points: 100, windowSeconds: 60, blockSeconds: 0 },
          { name: 'test', pool: undefined },
        ),
        clientAddress: (peer) => peer,
        serviceName: 'Svc',
        historyUrl: 'http://localhost',
        allowPrivateWebhooks: false,
        now: Date.now,
        inFlightMax: 0,
      }),
    )
    for (const url of ['/v1/profile', '/shop.example:x/profile']) {
      const answer = await app.inject({ url })
      expect([answer.statusCode, answer.body.trimEnd()]).toEqual([503, '{"error":"server is busy"}'])
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
      expect(answer.headers.deprecation).toBeUndefined()
    }
    await app.close()
  })
})

const UNROUTED = [
  '/',
  '/nothing',
  '/favicon.ico',
  '/api/v1/history/user_hid/',
  '/api/v1/history/user_hid/a/b',
  '/api/history/user_hid/a',
  '/v1/history/user_hid/',
  '/v1/history/user_hid/a/b',
  '/pub/x',
  '/%zz',
  '/%2e%2e/%2e%2e/etc/passwd',
  '/..%2f..%2fetc/passwd',
  '/a?b=%zz',
  `/${'a'.repeat(5_000)}`,
]

test('7 a path without a route is 404 page not found as text/plain, without a newline', async () => {
  const server = await runningServer()
  for (const path of UNROUTED) {
    expect([path, shapeOf(await rawRequest(server, { path }))]).toEqual([path, PLAIN_404])
    const head = await rawRequest(server, { path, method: 'HEAD' })
    expect([head.status, head.text]).toEqual([404, ''])
  }
})

test('S10.7 an unrouted request is the plain 404 whatever its method, type and body', async () => {
  const server = await runningServer()
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
    for (const type of ['application/json', 'application/xml', 'x', ''])
      for (const body of ['', '{"broken":', 'x'.repeat(2_000_000)])
        expect(
          shapeOf(
            await rawRequest(server, {
              method,
              path: `/x/${randomUUID()}`,
              headers: { 'content-type': type },
              body,
            }),
          ),
        ).toEqual(PLAIN_404)
})
