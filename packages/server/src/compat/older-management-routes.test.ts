import { expect, test } from 'vitest'
import { managementSurface } from '../../test/management-surface.ts'

test('200: the profile is that of the newer form', async () => {
  const { app, headers, secretKey } = await managementSurface()
  const older = await app.inject(`/shop.example:${secretKey}/profile`)
  expect(older.statusCode).toBe(200)
  expect(older.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(older.body).toBe((await app.inject({ url: '/v1/profile', headers })).body)
})

test('401 with an empty body and no content type for wrong credentials', async () => {
  const { app, secretKey } = await managementSurface()
  for (const credentials of [
    `shop.example:${'0'.repeat(32)}`,
    `shop.example:${secretKey.toUpperCase()}x`,
    `Shop.example:${secretKey}`,
    `other.example:${secretKey}`,
  ]) {
    const answer = await app.inject(`/${credentials}/profile`)
    expect([answer.statusCode, answer.body]).toEqual([401, ''])
    expect(answer.headers).not.toHaveProperty('content-type')
  }
})

test('404, plain: a first segment that is no credentials', async () => {
  const { app } = await managementSurface()
  for (const url of ['/shop.example/profile', '/:/profile', '/%zz/profile', '/profile']) {
    const answer = await app.inject(url)
    expect([answer.statusCode, answer.body]).toEqual([404, '404 page not found'])
  }
})

test('200: the search of the deprecated endpoint, without its announcement', async () => {
  const { app, secretKey, record } = await managementSurface()
  const ids = [await record({ atMs: 1_000 }), await record({ atMs: 2_000, userHid: "it's" })]
  await record({ host: 'm.shop.example' })
  const base = `/shop.example:${secretKey}/history`

  const byIp = await app.inject(`${base}/ip/91.0.0.1`)
  expect(byIp.json().map((snapshot: { RequestID: string }) => snapshot.RequestID)).toEqual(ids.toReversed())
  expect(byIp.headers).not.toHaveProperty('deprecation')
  expect((await app.inject(`${base}/ip/91.0.0.1?limit=1`)).json()).toHaveLength(1)
  expect((await app.inject(`${base}/user_hid/it%27s`)).json()).toHaveLength(1)
  expect((await app.inject(`/shop.example%3A${secretKey}/history/user_hid/none`)).body).toBe('[]')
})

test('400 and 404 carry the bare JSON of the deprecated endpoint', async () => {
  const { app, secretKey } = await managementSurface()
  const answers: [string, number, string][] = [
    ['request_id/abc', 400, '"fail parse uuid"'],
    ['ip/::1', 400, 'null'],
    ['user_hid/%20', 400, '"value cannot be empty"'],
    ['latest/all', 404, '"latest is not supported"'],
  ]
  for (const [path, status, body] of answers) {
    const answer = await app.inject(`/shop.example:${secretKey}/history/${path}`)
    expect([answer.statusCode, answer.body]).toEqual([status, body])
  }
})

test('401 with an empty body for wrong credentials, whatever the search', async () => {
  const { app, publicKey } = await managementSurface()
  for (const credentials of [
    `shop.example:${publicKey}`,
    'shop.example:short',
    `other.example:${publicKey}`,
  ]) {
    const answer = await app.inject(`/${credentials}/history/latest/all`)
    expect([answer.statusCode, answer.body]).toEqual([401, ''])
    expect(answer.headers).not.toHaveProperty('content-type')
  }
})

test('404, plain: a first segment that is no credentials, an empty value, a slash in the value', async () => {
  const { app, secretKey } = await managementSurface()
  const base = `/shop.example:${secretKey}`
  for (const url of [
    '/shop.example/history/ip/91.0.0.1',
    `/:${secretKey}/history/ip/91.0.0.1`,
    '/shop.example:/history/ip/91.0.0.1',
    `${base}/history/ip/`,
    `${base}/history/user_hid/a%2Fb`,
    `${base}/history/user_hid/a/b`,
    `${base}/history`,
    `${base}/unknown`,
  ]) {
    const answer = await app.inject(url)
    expect([answer.statusCode, answer.body]).toEqual([404, '404 page not found'])
  }
})
