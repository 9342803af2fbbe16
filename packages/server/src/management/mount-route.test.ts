import { describe, expect, test } from 'vitest'
import { managementSurface } from '../../test/management-surface.ts'
import { securityHeaders } from '../http/security-headers.ts'
import { createRateLimit } from '../lib/limits.ts'

const TOO_MANY = '{"error":"too many requests"}'

describe('the limit of the Management API', () => {
  test('429 from the sixteenth request of an address on, whatever the route and its answer', async () => {
    const { app, headers, secretKey } = await managementSurface()
    const older = `/shop.example:${secretKey}`
    const requests = [
      { url: '/v1/profile', headers },
      { url: '/v1/profile' },
      { url: '/v1/history/user_hid/a', headers },
      { url: `${older}/profile` },
      { url: '/shop.example:wrong/history/user_hid/a' },
    ]
    const statuses: number[] = []
    for (let round = 0; round < 3; round += 1)
      for (const request of requests) statuses.push((await app.inject(request)).statusCode)
    expect(statuses.slice(0, 5)).toEqual([200, 401, 200, 200, 401])
    expect(statuses).not.toContain(429)

    for (const request of [...requests, { method: 'POST' as const, url: `${older}/callback`, body: 'x' }]) {
      const answer = await app.inject(request)
      expect([answer.statusCode, answer.body]).toEqual([429, TOO_MANY])
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
      expect(answer.headers).not.toHaveProperty('deprecation')
      expect(answer.headers).not.toHaveProperty('sunset')
      expect(answer.headers).not.toHaveProperty('link')
    }
    const elsewhere = await app.inject({ url: '/v1/profile', headers, remoteAddress: '192.0.2.9' })
    expect(elsewhere.statusCode).toBe(200)
  })

  test('a path without a route does not count', async () => {
    const { app, headers } = await managementSurface()
    for (let count = 0; count < 20; count += 1)
      for (const url of ['/v1/history/user_hid/', '/v1/history/ip/a%2Fb', '/x/profile', '/unknown'])
        expect((await app.inject({ url, headers })).body).toBe('404 page not found')
    expect((await app.inject({ url: '/v1/profile', headers })).statusCode).toBe(200)
  })

  test('the address is what the trusted proxy says it is', async () => {
    const { app, headers } = await managementSurface({
      limit: createRateLimit(
        { points: 1, windowSeconds: 60, blockSeconds: 600 },
        { name: 'test', pool: undefined },
      ),
      clientAddress: (peer, forwardedFor) => forwardedFor ?? peer,
    })
    const from = async (address: string) =>
      (await app.inject({ url: '/v1/profile', headers: { ...headers, 'x-forwarded-for': address } }))
        .statusCode
    expect([await from('192.0.2.1'), await from('192.0.2.1'), await from('192.0.2.2')]).toEqual([
      200, 429, 200,
    ])
  })
})

test('503 while too many requests are answered at once, without the headers of the deprecated endpoint alone', async () => {
  const reached = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const { app, headers, secretKey } = await managementSurface(({ directory }) => ({
    inFlightMax: 1,
    // The callback route rereads the directory at its end: there it is held.
    directory: {
      ...directory,
      refresh() {
        reached.resolve()
        return release.promise
      },
    },
  }))
  securityHeaders(app, { endsTls: true })
  const held = app.inject({
    method: 'POST',
    url: `/shop.example:${secretKey}/callback`,
    body: 'https://shop.example/hook',
  })
  await reached.promise
  const there = { ...headers, host: 'id.shop.example' }
  const answer = await app.inject({ url: '/v1/history/user_hid/a', headers: there })
  expect([answer.statusCode, answer.body]).toEqual([503, '{"error":"server is busy"}'])
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
  for (const name of ['deprecation', 'sunset', 'link']) expect(answer.headers).not.toHaveProperty(name)
  expect(answer.headers['x-content-type-options']).toBe('nosniff')
  expect(answer.headers).toHaveProperty('strict-transport-security')

  release.resolve()
  expect((await held).statusCode).toBe(200)
  expect((await app.inject({ url: '/v1/history/user_hid/a', headers })).statusCode).toBe(200)
})
