import { randomUUID } from 'node:crypto'
import { DomainProfile } from '@inkling/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { domainStore } from '../../src/store/domains/domains.ts'
import { runningServer, startTestServer } from '../running-server.ts'
import { ordinaryBody } from './bodies.ts'
import { as, historyPage, identify, management } from './callers.ts'
import { addWebhook } from './endpoints.ts'
import { operate } from './operator.ts'
import { PLAIN_404, rawRequest, shapeOf } from './raw-request.ts'
import { ROOMY_SETTINGS } from './roomy-settings.ts'

let server: Awaited<ReturnType<typeof startTestServer>>
beforeAll(async () => {
  server = await startTestServer({
    settings: ROOMY_SETTINGS,
    otherDomains: ['other.example', 'a.shop.example'],
  })
})
afterAll(() => server.close())

const profile = async (target = server) =>
  DomainProfile.parse((await management(target, '/v1/profile')).json())

const masked = (key: string): string => `${'*'.repeat(key.length - 4)}${key.slice(-4)}`

test('4.2 S7 the profile: keys in order, masked keys, second-precision time, JSON with charset', async () => {
  const { headers, status, text } = await management(server, '/v1/profile')
  expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
  expect(text.trimEnd()).toBe(
    `{"Domain":"shop.example","Weight":1000000,"Callback":"",` +
      `"PublicKey":"${masked(server.keys.public_key)}","Secret":"${masked(server.keys.secret_key)}",` +
      `"CreatedAt":"2026-01-01T00:00:00Z"}`,
  )
})

test('2.6 each identification lowers Weight, also below 0; reads do not', async () => {
  const own = await runningServer({ settings: ROOMY_SETTINGS })
  await operate(own, ({ store, domainId }) => domainStore(store.writes).change(domainId, { remaining: 1 }))
  for (const expected of [1, 0, -1, -2]) {
    expect((await profile({ ...own, close: async () => {} })).Weight).toBe(expected)
    await historyPage(own, 'latest/all')
    await identify(own, randomUUID(), ordinaryBody())
  }
})

test('S7 CreatedAt is 0001-01-01T00:00:00Z when unknown', async () => {
  const own = await runningServer()
  await operate(own, ({ store, domainId }) =>
    store.writes.updateTable('domains').set({ created_at: 0 }).where('id', '=', domainId).execute(),
  )
  expect((await profile({ ...own, close: async () => {} })).CreatedAt).toBe('0001-01-01T00:00:00Z')
})

test('S10.13 webhook add does not change Callback', async () => {
  await addWebhook(server, 'https://hooks.example/a')
  expect((await profile()).Callback).toBe('')
})

test('4.2 each domain gets its own profile', async () => {
  const [other] = server.others
  if (!other) throw new Error('no other domain')
  const answer = await management(as(server, other), '/v1/profile')
  expect(answer.json()).toMatchObject({ Domain: 'other.example', PublicKey: masked(other.public_key) })
})

describe('4.2 X-Svc-Domain is matched exactly', () => {
  test.each([
    ['upper case', 'Shop.example'],
    ['a scheme', 'https://shop.example'],
    ['a trailing slash', 'shop.example/'],
    ['a leading www.', 'www.shop.example'],
    ['a port', 'shop.example:443'],
    ['a trailing dot', 'shop.example.'],
    ['a subdomain', 'pay.shop.example'],
    ['another registered domain', 'other.example'],
    ['a registered subdomain of it', 'a.shop.example'],
    ['an unknown domain', 'nowhere.example'],
    ['nothing', ''],
    ['254 characters', `${'a'.repeat(246)}.example`],
    ['a list of both', 'shop.example, shop.example'],
  ])('%s is 401', async (_name, domain) => {
    const answer = await management(server, '/v1/profile', { headers: { 'x-svc-domain': domain } })
    expect([answer.status, answer.body.length]).toEqual([401, 0])
  })
})

describe('4.2 paths', () => {
  test.each([
    '/v1/profile/',
    '/v1/profile/x',
    '/v1/Profile',
    '/v1',
    '/v1/',
    '/v2/profile',
    '/profile',
    '/api/v1/profile',
  ])('%s matches no route', async (path) => {
    expect(shapeOf(await management(server, path))).toEqual(PLAIN_404)
  })

  test.each(['POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS'])('S10.7 %s is the plain 404', async (method) => {
    expect(shapeOf(await management(server, '/v1/profile', { method }))).toEqual(PLAIN_404)
  })

  test('S10.7 HEAD behaves as GET without a body', async () => {
    const got = await management(server, '/v1/profile')
    const head = await management(server, '/v1/profile', { method: 'HEAD' })
    expect([head.status, head.text]).toEqual([200, ''])
    expect(head.headers['content-type']).toBe(got.headers['content-type'])
    expect(head.headers['content-length']).toBe(got.headers['content-length'])
    expect((await rawRequest(server, { path: '/v1/profile', method: 'HEAD' })).status).toBe(401)
  })

  test('unknown query parameters are ignored', async () => {
    expect((await management(server, '/v1/profile?a=b&c')).status).toBe(200)
  })
})
