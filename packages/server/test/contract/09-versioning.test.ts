import { randomUUID } from 'node:crypto'
import { SCHEMA_VERSION } from '@inkling/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestServer } from '../running-server.ts'
import { type Receiver, startWebhookReceiver } from '../webhook-receiver.ts'
import { ordinaryBody } from './bodies.ts'
import { history, identify, management } from './callers.ts'
import { addWebhook, pingWebhook } from './endpoints.ts'
import { rawRequest } from './raw-request.ts'
import { ROOMY_SETTINGS } from './roomy-settings.ts'

let server: Awaited<ReturnType<typeof startTestServer>>
let receiver: Receiver & { close(): void }
beforeAll(async () => {
  receiver = await startWebhookReceiver()
  server = await startTestServer({ settings: ROOMY_SETTINGS, endpoints: [receiver.url] })
})
afterAll(async () => {
  await server.close()
  receiver.close()
})

test('9.1 paths carry a version segment: /api/v1 on History, /v1 on Management, and no other version exists', async () => {
  expect((await history(server, 'latest/all')).status).toBe(200)
  expect((await management(server, '/v1/profile')).status).toBe(200)
  for (const path of ['/api/history/latest/all', '/api/v2/history/latest/all', '/profile', '/v2/profile'])
    expect((await rawRequest(server, { path })).status).toBe(404)
})

test('9.2 both webhook bodies carry schema_version, currently 2026-06-01', async () => {
  expect(SCHEMA_VERSION).toBe('2026-06-01')
  const { id } = await addWebhook(server, receiver.url)
  await pingWebhook(server, id)
  await identify(server, randomUUID(), ordinaryBody())
  for (const { body } of await receiver.count(2))
    expect(body.toString()).toContain('"schema_version":"2026-06-01"')
})

test('9.4 only the deprecated endpoint announces an end and a successor', async () => {
  const { headers } = await management(server, '/v1/history/user_hid/a')
  expect(headers.deprecation).toBe('true')
  expect(new Date(headers.sunset?.toString() ?? '')).toEqual(new Date('2027-01-01T00:00:00Z'))
  expect(headers.link).toMatch(/^<http:\/\/localhost:\d+\/api\/v1\/history>; rel="successor-version"$/)
  const { public_key, secret_key } = server.keys
  for (const answer of [
    await history(server, 'latest/all'),
    await management(server, '/v1/profile'),
    await rawRequest(server, { path: '/health' }),
    await rawRequest(server, { path: `/pub/${public_key}/${secret_key}/history/user_hid/a` }),
    await rawRequest(server, { path: `/shop.example:${secret_key}/history/user_hid/a` }),
  ])
    expect([answer.headers.deprecation, answer.headers.sunset, answer.headers.link]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
})

test('9.5 a synchronous verify endpoint is not available', async () => {
  for (const path of ['/api/v1/verify', '/v1/verify', '/verify', `/api/v1/verify/${randomUUID()}`])
    for (const method of ['GET', 'POST'])
      expect((await rawRequest(server, { path, method })).status).toBe(404)
})

test('9.6 the older path-credential routes still work', async () => {
  const { public_key, secret_key } = server.keys
  const path = `/pub/${public_key}/${secret_key}/history/user_hid/a`
  expect((await rawRequest(server, { path })).status).toBe(200)
  expect((await rawRequest(server, { path: `/shop.example:${secret_key}/profile` })).status).toBe(200)
})
