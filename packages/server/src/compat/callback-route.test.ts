import { CallbackAnswer } from '@inkling/contract'
import { ENDPOINTS_MAX } from '@inkling/contract/account'
import { expect, test } from 'vitest'
import { type ManagementSurface, managementSurface } from '../../test/management-surface.ts'
import { addEndpoint } from '../deliver/webhook-endpoints.ts'
import { endpointStore, removeEndpoint } from '../store/domains/domains.ts'
import { auditStore } from '../store/users/users.ts'

const HOOK = 'https://shop.example/hook?a=1'

const post = (
  { app, secretKey }: ManagementSurface,
  body: string,
  credentials = `shop.example:${secretKey}`,
) =>
  app.inject({
    method: 'POST',
    url: `/${credentials}/callback`,
    headers: { 'content-type': 'text/plain' },
    body,
  })

const callbackOf = async ({ app, headers }: ManagementSurface): Promise<string> =>
  (await app.inject({ url: '/v1/profile', headers })).json().Callback

const endpointsOf = ({ store, domainId }: ManagementSurface) => endpointStore(store.reads).list(domainId)

test('200: the URL becomes the callback, and events are sent to it from now on', async () => {
  const surface = await managementSurface()
  const answer = await post(surface, `${HOOK}\n`)
  expect(answer.statusCode).toBe(200)
  expect(CallbackAnswer.strict().parse(answer.json())).toEqual({ callback: HOOK })
  expect(await callbackOf(surface)).toBe(HOOK)
  const [endpoint, ...others] = surface.directory.byName('shop.example')?.endpoints ?? []
  expect(others).toEqual([])
  expect(endpoint).toMatchObject({
    url: HOOK,
    secrets: { secret: expect.stringMatching(/^whsec_[0-9a-f]{32}$/) },
  })
})

test('200: another URL replaces it: the same endpoint and secret, enabled, not yet verified', async () => {
  const surface = await managementSurface()
  await post(surface, HOOK)
  const [first] = await endpointsOf(surface)
  const endpoints = endpointStore(surface.store.writes)
  await endpoints.change(surface.domainId, first?.id ?? 0, { state: 'verified', enabled: 0 })

  await post(surface, HOOK)
  expect(await endpointsOf(surface)).toEqual([{ ...first, state: 'verified' }])
  await post(surface, 'https://shop.example/moved')
  expect(await endpointsOf(surface)).toEqual([{ ...first, url: 'https://shop.example/moved' }])

  const entries = await auditStore(surface.store.reads).list(undefined, 3)
  expect(entries.map(({ actor, action, detail }) => [actor, action, JSON.parse(detail).url])).toEqual([
    ['Secret Key', 'endpoint.change', 'https://shop.example/moved'],
    ['Secret Key', 'endpoint.change', HOOK.split('?')[0]],
    ['Secret Key', 'endpoint.add', HOOK.split('?')[0]],
  ])
})

test('200: two that come at once leave one callback', async () => {
  const surface = await managementSurface()
  const answers = await Promise.all([post(surface, HOOK), post(surface, `${HOOK}&b=2`)])
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200])
  expect(await endpointsOf(surface)).toHaveLength(1)
})

test('200: other endpoints stay, and are not the callback', async () => {
  const surface = await managementSurface()
  await addEndpoint(surface.store, surface.secrets, surface.domainId, 'https://shop.example/other', 0)
  expect(await callbackOf(surface)).toBe('')
  await post(surface, HOOK)
  expect(await callbackOf(surface)).toBe(HOOK)
  expect((await endpointsOf(surface)).map(({ url }) => url)).toEqual(['https://shop.example/other', HOOK])
})

test('200: http where private webhooks are allowed, whatever the content type of the body', async () => {
  const surface = await managementSurface({ allowPrivateWebhooks: true })
  for (const contentType of [
    'application/x-www-form-urlencoded',
    'application/json',
    'text/plain; charset=utf-8',
    '///',
  ]) {
    const answer = await surface.app.inject({
      method: 'POST',
      url: `/shop.example:${surface.secretKey}/callback`,
      headers: { 'content-type': contentType },
      body: 'http://127.0.0.1:9000/hook',
    })
    expect(answer.json()).toEqual({ callback: 'http://127.0.0.1:9000/hook' })
  }
})

test('400 with an error object for what is no https URL, and nothing changes', async () => {
  const surface = await managementSurface()
  await post(surface, HOOK)
  const long = `https://shop.example/${'a'.repeat(2_048)}`
  for (const body of [
    '',
    'hook',
    'http://shop.example/hook',
    'ftp://shop.example/',
    JSON.stringify(HOOK),
    long,
  ]) {
    const answer = await post(surface, body)
    expect(answer.statusCode).toBe(400)
    expect(answer.json()).toEqual({ error: expect.any(String) })
  }
  expect(await callbackOf(surface)).toBe(HOOK)
})

test('409 with an error object for a first callback beside as many endpoints as a domain may have', async () => {
  const surface = await managementSurface()
  const { store, secrets, domainId } = surface
  for (let index = 0; index < ENDPOINTS_MAX; index += 1)
    await addEndpoint(store, secrets, domainId, `https://shop.example/${index}`, 0)
  const answer = await post(surface, HOOK)
  expect([answer.statusCode, answer.json()]).toEqual([
    409,
    { error: 'the domain has 50 webhook endpoints; remove one' },
  ])
  expect(await callbackOf(surface)).toBe('')

  const [first] = await endpointsOf(surface)
  await removeEndpoint(store.writes, domainId, first?.id ?? 0)
  for (const url of [HOOK, 'https://shop.example/moved'])
    expect((await post(surface, url)).statusCode).toBe(200)
  expect(await endpointsOf(surface)).toHaveLength(ENDPOINTS_MAX)
})

test('413 for a body that is far too large to be a URL', async () => {
  const surface = await managementSurface()
  expect((await post(surface, 'a'.repeat(513 * 1024))).statusCode).toBe(413)
})

test('401 with an empty body for wrong credentials, and nothing changes', async () => {
  const surface = await managementSurface()
  const answer = await post(surface, HOOK, 'shop.example:wrong')
  expect([answer.statusCode, answer.body]).toEqual([401, ''])
  expect(answer.headers).not.toHaveProperty('content-type')
  expect(await endpointsOf(surface)).toEqual([])
})

test('404, plain: a first segment that is no credentials, or another method', async () => {
  const surface = await managementSurface()
  const get = await surface.app.inject(`/shop.example:${surface.secretKey}/callback`)
  for (const answer of [await post(surface, HOOK, 'shop.example'), get])
    expect([answer.statusCode, answer.body]).toEqual([404, '404 page not found'])
})
