import {
  ENDPOINTS_MAX,
  EndpointAttempt,
  NewEndpoint,
  RotatedSecret,
  TEST_SENDS_PER_MINUTE,
  WebhookEndpoint,
} from '@inkling/contract/account'
import { expect, test } from 'vitest'
import { type AccountSurface, accountSurface } from '../../test/account/account-surface.ts'
import { webhookReceiver } from '../../test/webhook-receiver.ts'
import { sign } from '../deliver/attempt.ts'

const BASE = '/account/domains/shop.example/endpoints'

async function added(surface: AccountSurface, url = 'https://hooks.example/in?key=s3cret') {
  const answer = await surface.ask({ method: 'POST', url: BASE, payload: { url } })
  expect(answer.statusCode).toBe(201)
  return NewEndpoint.strict().parse(answer.json())
}

test('an endpoint is added unverified; its secret is shown only then', async () => {
  const surface = await accountSurface()
  const { secret, ...endpoint } = await added(surface)
  expect(endpoint).toMatchObject({ state: 'unverified', enabled: true, secret_tail: secret.slice(-4) })
  const list = await surface.ask({ url: BASE })
  expect(list.json()).toEqual([endpoint])
  expect(list.body).not.toContain(secret)
  expect(surface.directory.byName('shop.example')?.endpoints[0]).toMatchObject({ secrets: { secret } })
})

test('the query of a URL, which can be a secret, is for those alone who may change endpoints', async () => {
  const surface = await accountSurface()
  const { secret: _secret, ...endpoint } = await added(surface)
  const list = await surface.ask({ url: BASE, token: surface.tokens.analyst })
  expect(list.json()).toEqual([{ ...endpoint, url: 'https://hooks.example/in' }])
})

test('neither secret nor the query of a URL is in the audit log', async () => {
  const surface = await accountSurface()
  const { secret } = await added(surface)
  const audit = await surface.ask({ url: '/account/audit' })
  expect(audit.json().data[0]).toMatchObject({
    action: 'endpoint.add',
    target: 'shop.example',
    detail: { url: 'https://hooks.example/in' },
  })
  expect(audit.body).not.toMatch(new RegExp(`${secret}|s3cret`))
})

test('a forbidden URL is an error and adds nothing', async () => {
  const surface = await accountSurface({ allowPrivateWebhooks: false })
  for (const url of ['hook', 'http://hooks.example/', 'ftp://a/', 'https://u:p@hooks.example/']) {
    const answer = await surface.ask({ method: 'POST', url: BASE, payload: { url } })
    expect([answer.statusCode, Object.keys(answer.json())]).toEqual([400, ['error']])
  }
  expect((await surface.ask({ url: BASE })).json()).toEqual([])
})

test('a domain has fifty endpoints at most, also when they are added at the same moment', async () => {
  const surface = await accountSurface()
  const answers = await Promise.all(
    Array.from({ length: ENDPOINTS_MAX + 4 }, (_, index) =>
      surface.ask({ method: 'POST', url: BASE, payload: { url: `https://hooks.example/${index}` } }),
    ),
  )
  const refused = answers.filter(({ statusCode }) => statusCode === 409)
  expect(refused.map((answer) => answer.json())).toEqual(
    Array.from({ length: 4 }, () => ({ error: 'the domain has 50 webhook endpoints; remove one' })),
  )
  const [first, ...others] = (await surface.ask({ url: BASE })).json()
  expect(others).toHaveLength(ENDPOINTS_MAX - 1)
  await surface.ask({ method: 'DELETE', url: `${BASE}/${first.id}` })
  await added(surface)
})

test('a ping with an answer verifies, one without fails; both are stored', async () => {
  let status = 204
  const receiver = await webhookReceiver(() => status)
  const surface = await accountSurface()
  const { id, secret } = await added(surface, receiver.url)
  const ping = async () =>
    EndpointAttempt.strict().parse((await surface.ask({ method: 'POST', url: `${BASE}/${id}/ping` })).json())
  const state = async () => (await surface.ask({ url: BASE })).json()[0].state

  expect(await ping()).toMatchObject({ id, state: 'verified', status: 204, error: null })
  expect(await state()).toBe('verified')
  const [sent] = receiver.received
  expect(sent?.headers['x-svc-signature']).toBe(sign(sent?.body ?? Buffer.of(), secret))

  status = 500
  expect(await ping()).toMatchObject({ state: 'failed', status: 500 })
  expect(await state()).toBe('failed')
  const { data } = (await surface.ask({ url: '/account/audit', query: { limit: '1' } })).json()
  expect(data[0]).toMatchObject({ action: 'endpoint.ping', detail: { endpoint: id, state: 'failed' } })
})

test('a test delivery sends the sample and does not change the state', async () => {
  const receiver = await webhookReceiver(() => 500)
  const surface = await accountSurface()
  const { id } = await added(surface, receiver.url)
  const answer = await surface.ask({ method: 'POST', url: `${BASE}/${id}/test` })
  expect(answer.json()).toMatchObject({ id, state: 'failed', status: 500 })
  expect(JSON.parse(String(receiver.received[0]?.body)).event_type).toBe('identification.scored')
  expect((await surface.ask({ url: BASE })).json()[0].state).toBe('unverified')
  const { data } = (await surface.ask({ url: '/account/audit', query: { limit: '1' } })).json()
  expect(data[0]).toMatchObject({ action: 'endpoint.test', detail: { endpoint: id, state: 'failed' } })
})

test('pings, test events and test messages of a domain have one limit a minute, whoever they go to', async () => {
  const receiver = await webhookReceiver()
  const surface = await accountSurface()
  const domain = '/account/domains/shop.example'
  const settings = { kind: 'webhook', url: receiver.url }
  const payload = { name: 'Team', settings }
  const channel = (await surface.ask({ method: 'POST', url: `${domain}/alert-channels`, payload })).json().id
  const sends = []
  for (let index = 0; index < TEST_SENDS_PER_MINUTE + 3; index += 1) {
    const { id } = await added(surface, `${receiver.url}?number=${index}`)
    const [what = ''] = [
      `endpoints/${id}/ping`,
      `endpoints/${id}/test`,
      `alert-channels/${channel}/test`,
    ].slice(index % 3)
    sends.push(await surface.ask({ method: 'POST', url: `${domain}/${what}` }))
  }
  const refused = sends.slice(TEST_SENDS_PER_MINUTE)
  expect(sends.slice(0, TEST_SENDS_PER_MINUTE).map(({ statusCode }) => statusCode)).toEqual(
    Array.from({ length: TEST_SENDS_PER_MINUTE }, () => 200),
  )
  expect(refused.map(({ statusCode }) => statusCode)).toEqual([429, 429, 429])
  for (const { headers } of refused) expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  expect(receiver.received).toHaveLength(TEST_SENDS_PER_MINUTE)

  await surface.ask({ method: 'POST', url: '/account/domains', payload: { domain: 'blog.example' } })
  const other = '/account/domains/blog.example/endpoints'
  const { id } = (await surface.ask({ method: 'POST', url: other, payload: { url: receiver.url } })).json()
  expect((await surface.ask({ method: 'POST', url: `${other}/${id}/ping` })).statusCode).toBe(200)
})

test('an attempt without an answer says why', async () => {
  const surface = await accountSurface()
  const { id } = await added(surface, 'http://127.0.0.1:1/hook')
  const answer = await surface.ask({ method: 'POST', url: `${BASE}/${id}/ping` })
  expect(answer.json()).toMatchObject({ state: 'failed', status: null, error: expect.stringMatching(/\w/) })
})

test('a rotation shows the masked old secret, which signs nothing any more', async () => {
  const surface = await accountSurface()
  const { id, secret } = await added(surface)
  const answer = await surface.ask({ method: 'POST', url: `${BASE}/${id}/rotate` })
  const rotated = RotatedSecret.strict().parse(answer.json())
  expect(rotated.secret).not.toBe(secret)
  expect(rotated.replaced).toBe(`${'*'.repeat(secret.length - 4)}${secret.slice(-4)}`)
  expect(surface.directory.endpoint(id)?.secrets.secret).toBe(rotated.secret)
})

test('an endpoint can be disabled, enabled and removed', async () => {
  const surface = await accountSurface()
  const { id } = await added(surface)
  const set = async (enabled: boolean) =>
    WebhookEndpoint.parse(
      (await surface.ask({ method: 'PATCH', url: `${BASE}/${id}`, payload: { enabled } })).json(),
    ).enabled
  expect(await set(false)).toBe(false)
  expect(surface.directory.endpoint(id)).toBeUndefined()
  expect(await set(true)).toBe(true)
  expect((await surface.ask({ method: 'DELETE', url: `${BASE}/${id}` })).statusCode).toBe(204)
  expect(surface.directory.endpoint(id)).toBeUndefined()
  expect((await surface.ask({ method: 'DELETE', url: `${BASE}/${id}` })).statusCode).toBe(404)
})

test('another domain’s endpoint answers like a missing one', async () => {
  const surface = await accountSurface()
  const { id } = await added(surface)
  await surface.ask({ method: 'POST', url: '/account/domains', payload: { domain: 'blog.example' } })
  const other = `/account/domains/blog.example/endpoints/${id}`
  for (const [method, url] of [
    ['DELETE', other],
    ['POST', `${other}/rotate`],
    ['POST', `${other}/ping`],
    ['GET', `${other}/deliveries`],
  ] as const) {
    const answer = await surface.ask({ method, url })
    expect([answer.statusCode, answer.json()]).toEqual([404, { error: 'no such endpoint' }])
  }
  expect((await surface.ask({ url: BASE })).json()).toHaveLength(1)
})
