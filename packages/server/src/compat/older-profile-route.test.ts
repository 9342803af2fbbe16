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
