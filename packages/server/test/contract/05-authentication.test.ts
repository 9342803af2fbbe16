import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sign } from '../../src/deliver/attempt.ts'
import { rotateSecret } from '../../src/deliver/webhook-endpoints.ts'
import { domainStore } from '../../src/store/domains/domains.ts'
import { rotateKey } from '../rotate-key.ts'
import { postSnapshot, runningServer, startTestServer } from '../running-server.ts'
import { type Received, webhookReceiver } from '../webhook-receiver.ts'
import { ordinaryBody } from './bodies.ts'
import { as, history, historyPage, identify, management } from './callers.ts'
import { inkling } from './command-line.ts'
import { addWebhook } from './endpoints.ts'
import { operate, soon } from './operator.ts'
import { rawRequest, shapeOf } from './raw-request.ts'
import { ROOMY_SETTINGS } from './roomy-settings.ts'

let server: Awaited<ReturnType<typeof startTestServer>>
beforeAll(async () => {
  server = await startTestServer({ settings: ROOMY_SETTINGS, otherDomains: ['other.example'] })
})
afterAll(() => server.close())

const bearer = (text: string) => history(server, 'user_hid/a', { headers: { authorization: text } })
const withoutCredentials = (path: string, headers: Record<string, string> = {}) =>
  rawRequest(server, { path, headers })

describe('5 keys', () => {
  test('S9 have the published formats', () => {
    expect(server.keys.api_key).toMatch(/^sec_[a-z0-9]{8}-[a-z0-9]{8}-[a-z0-9]{8}$/)
    expect(server.keys.secret_key).toMatch(/^[0-9a-f]{32}$/)
    expect(server.keys.public_key).toMatch(/^[0-9a-f]{32}$/)
  })

  test('5.1 no credential works in the place of another', async () => {
    const { api_key, secret_key, public_key } = server.keys
    for (const key of [secret_key, public_key]) expect((await bearer(`Bearer ${key}`)).status).toBe(401)
    for (const key of [api_key, public_key])
      expect(
        (await management(server, '/v1/profile', { headers: { authorization: `Bearer ${key}` } })).status,
      ).toBe(401)
    for (const key of [api_key, secret_key])
      expect((await postSnapshot(as(server, { ...server.keys, public_key: key }), randomUUID())).status).toBe(
        401,
      )
  })

  test('the API key of one domain never reads another', async () => {
    const [other] = server.others
    if (!other) throw new Error('no other domain')
    await identify(server, randomUUID(), ordinaryBody({ user_hid: 'private' }))
    expect((await historyPage(as(server, other), 'user_hid/private')).total).toBe(0)
    expect(
      (await management(as(server, { ...other, secret_key: server.keys.secret_key }), '/v1/profile')).status,
    ).toBe(401)
  })
})

describe('5.3 S8 History', () => {
  test.each([
    ['no header', undefined],
    ['an empty header', ''],
    ['blanks', '   '],
    ['the word alone', 'Bearer'],
    ['the word and a blank', 'Bearer '],
    ['another scheme', 'Basic dXNlcjpwYXNz'],
    ['the key alone', 'KEY'],
    ['the word without a blank', 'BearerKEY'],
    ['another word before it', 'x Bearer KEY'],
  ])('%s is a missing or invalid header: 401 as text/plain, ending in a newline', async (_name, text) => {
    const headers = text === undefined ? {} : { authorization: text.replace('KEY', server.keys.api_key) }
    const answer = await withoutCredentials('/api/v1/history/user_hid/a', headers)
    expect(shapeOf(answer)).toEqual({
      status: 401,
      type: 'text/plain; charset=utf-8',
      text: '{"error":"missing or invalid authorization header"}\n',
    })
  })

  test.each([
    ['an unknown key', 'Bearer sec_aaaaaaaa-bbbbbbbb-cccccccc'],
    ['a key in another case', 'Bearer KEY', (key: string) => key.toUpperCase()],
    ['a key cut short', 'Bearer KEY', (key: string) => key.slice(0, -1)],
    ['a key with more behind it', 'Bearer KEYx'],
    ['two words', 'Bearer KEY KEY'],
    ['quotes', 'Bearer "KEY"'],
  ])(
    '%s is an invalid key: 401 as text/plain, ending in a newline',
    async (_name, text, change = (key: string) => key) => {
      expect(shapeOf(await bearer(text.replaceAll('KEY', change(server.keys.api_key))))).toEqual({
        status: 401,
        type: 'text/plain; charset=utf-8',
        text: '{"error":"invalid api key"}\n',
      })
    },
  )

  test.each(['Bearer KEY', 'bearer KEY', 'BEARER KEY', 'bEaReR KEY', '  Bearer KEY  ', 'Bearer    KEY'])(
    'S8 S10.19 Bearer is matched in any case and surrounding blanks are ignored: "%s"',
    async (text) => {
      expect((await bearer(text.replace('KEY', server.keys.api_key))).status).toBe(200)
    },
  )

  test('a key in the query is ignored', async () => {
    const path = `/api/v1/history/user_hid/a?api_key=${server.keys.api_key}&authorization=${server.keys.api_key}`
    expect((await withoutCredentials(path)).status).toBe(401)
  })
})

describe('5.2 Management', () => {
  const profile = (headers: Record<string, string>) => withoutCredentials('/v1/profile', headers)
  const right = () => ({ authorization: `Bearer ${server.keys.secret_key}`, 'x-svc-domain': 'shop.example' })

  test.each([
    ['no headers', () => ({})],
    ['no domain', () => ({ authorization: right().authorization })],
    ['no authorization', () => ({ 'x-svc-domain': 'shop.example' })],
    ['an empty authorization', () => ({ ...right(), authorization: '' })],
    ['a malformed authorization', () => ({ ...right(), authorization: server.keys.secret_key })],
    ['another scheme', () => ({ ...right(), authorization: `Basic ${server.keys.secret_key}` })],
    ['a wrong key', () => ({ ...right(), authorization: `Bearer ${'0'.repeat(32)}` })],
    [
      'the key in upper case',
      () => ({ ...right(), authorization: `Bearer ${server.keys.secret_key.toUpperCase()}` }),
    ],
    ['an unknown domain', () => ({ ...right(), 'x-svc-domain': 'nowhere.example' })],
    ['another domain', () => ({ ...right(), 'x-svc-domain': 'other.example' })],
  ])('%s: 401 with an empty body and no Content-Type', async (_name, headers) => {
    for (const path of ['/v1/profile', '/v1/history/user_hid/a']) {
      const answer = await withoutCredentials(path, headers())
      expect([answer.status, answer.headers['content-type'], answer.body.length]).toEqual([401, undefined, 0])
    }
  })

  test('the older forms answer the same 401', async () => {
    const answer = await withoutCredentials(`/shop.example:${'0'.repeat(32)}/profile`)
    expect([answer.status, answer.headers['content-type'], answer.body.length]).toEqual([401, undefined, 0])
  })

  test.each(['bearer KEY', 'BEARER KEY', ' Bearer   KEY '])(
    'S10.19 Bearer is case-insensitive: "%s"',
    async (text) => {
      const authorization = text.replace('KEY', server.keys.secret_key)
      expect((await profile({ ...right(), authorization })).status).toBe(200)
    },
  )
})

describe('5.2 a disabled domain', () => {
  test('is rejected by every surface within a second, and accepted again once enabled', async () => {
    const own = await runningServer({ settings: ROOMY_SETTINGS })
    const pub = `/pub/${own.keys.public_key}/${own.keys.secret_key}/history/user_hid/a`
    const statuses = async () => [
      (await history(own, 'user_hid/a')).status,
      (await management(own, '/v1/profile')).status,
      (await management(own, '/v1/history/user_hid/a')).status,
      (await rawRequest(own, { path: pub })).status,
      (await rawRequest(own, { path: `/shop.example:${own.keys.secret_key}/profile` })).status,
      (await postSnapshot(own, randomUUID())).status,
    ]
    expect(await statuses()).toEqual([200, 200, 200, 200, 200, 200])
    const enable = (enabled: number) =>
      operate(own, ({ store, domainId }) => domainStore(store.writes).change(domainId, { enabled }))
    await enable(0)
    await soon(async () => expect(await statuses()).toEqual([401, 401, 401, 401, 401, 401]))
    expect((await management(own, '/v1/profile')).body).toHaveLength(0)
    await enable(1)
    await soon(async () => expect(await statuses()).toEqual([200, 200, 200, 200, 200, 200]))
    expect((await historyPage(own, 'latest/all')).total).toBeGreaterThanOrEqual(1)
  })

  test('can be disabled with the command domain set --enabled false', async () => {
    const own = await runningServer({ settings: ROOMY_SETTINGS })
    expect(await inkling(own, ['domain', 'set', 'shop.example', '--enabled', 'false'])).toMatchObject({
      enabled: false,
    })
    await soon(async () => expect((await history(own, 'user_hid/a')).status).toBe(401))
  })
})

describe('5.4 rotation', () => {
  test('a rotated API key works and the old one stops within a second', async () => {
    const own = await runningServer({ settings: ROOMY_SETTINGS })
    const api_key = await operate(own, ({ store, box, domainId }) => rotateKey(store, box, domainId, 'api'))
    const rotated = { ...own, keys: { ...own.keys, api_key } }
    await soon(async () => expect((await history(rotated, 'user_hid/a')).status).toBe(200))
    expect((await history(own, 'user_hid/a')).text).toBe('{"error":"invalid api key"}\n')
    expect((await management(own, '/v1/profile')).status).toBe(200)
  })

  test('a rotated Secret Key likewise, on Management', async () => {
    const own = await runningServer({ settings: ROOMY_SETTINGS })
    const secret_key = await operate(own, ({ store, box, domainId }) =>
      rotateKey(store, box, domainId, 'secret'),
    )
    const rotated = { ...own, keys: { ...own.keys, secret_key } }
    await soon(async () => expect((await management(rotated, '/v1/profile')).status).toBe(200))
    expect((await management(own, '/v1/profile')).status).toBe(401)
    const profile = (await management(rotated, '/v1/profile')).json() as { Secret: string }
    expect(profile.Secret.slice(-4)).toBe(secret_key.slice(-4))
  })

  test('a rotated Public Key likewise, on ingest', async () => {
    const own = await runningServer({ settings: ROOMY_SETTINGS })
    const public_key = await operate(own, ({ store, box, domainId }) =>
      rotateKey(store, box, domainId, 'public'),
    )
    const rotated = { ...own, keys: { ...own.keys, public_key } }
    await soon(async () => expect((await postSnapshot(rotated, randomUUID())).status).toBe(200))
    expect((await postSnapshot(own, randomUUID())).status).toBe(401)
  })

  test('a rotated webhook secret is replaced at once, for that endpoint alone', async () => {
    const receivers = [await webhookReceiver(), await webhookReceiver()] as const
    const own = await runningServer({ settings: ROOMY_SETTINGS })
    const first = await addWebhook(own, receivers[0].url)
    const second = await addWebhook(own, receivers[1].url)
    const signedWith = (delivery: Received | undefined, secret: string) =>
      delivery?.headers['x-svc-signature'] === sign(delivery?.body ?? Buffer.alloc(0), secret)
    const deliver = async () => {
      const before = receivers.map(({ received }) => received.length)
      await identify(own, randomUUID(), ordinaryBody())
      return Promise.all(
        receivers.map(async (receiver, index) => (await receiver.count((before[index] ?? 0) + 1)).at(-1)),
      )
    }
    // The command line added both; the running server reads them within a second.
    await soon(async () => {
      await identify(own, randomUUID(), ordinaryBody())
      expect(receivers.every(({ received }) => received.length > 0)).toBe(true)
    })
    const rotated = await operate(own, ({ store, box, domainId }) =>
      rotateSecret(store.writes, box, domainId, first.id, 0),
    )
    expect(rotated).toMatch(/^whsec_[0-9a-f]{32}$/)
    await soon(async () => {
      const [delivery] = await deliver()
      expect(signedWith(delivery, rotated ?? '')).toBe(true)
    })
    const [changed, unchanged] = await deliver()
    expect(signedWith(changed, first.secret)).toBe(false)
    expect(signedWith(unchanged, second.secret)).toBe(true)
  })
})
