import { randomUUID } from 'node:crypto'
import { LegacySnapshot, NIL_UUID } from '@inkling/contract'
import { describe, expect, test } from 'vitest'
import { type ManagementSurface, managementSurface } from '../../test/management-surface.ts'

const read = ({ app, headers }: ManagementSurface, path: string) =>
  app.inject({ url: `/v1/history/${path}`, headers })

const idsOf = (snapshots: LegacySnapshot[]) => snapshots.map(({ RequestID }) => RequestID)

const ANNOUNCED = {
  deprecation: 'true',
  sunset: 'Fri, 01 Jan 2027 00:00:00 GMT',
  link: '<https://history.example/api/v1/history>; rel="successor-version"',
}

describe('GET /v1/history/:type/:value', () => {
  test('200: a bare array of snapshots by each of the seven types', async () => {
    const surface = await managementSurface()
    const RequestID = await surface.record({ userHid: 'account 7' })
    const [snapshot] = LegacySnapshot.strict()
      .array()
      .parse((await read(surface, `request_id/${RequestID}`)).json())
    for (const path of [
      `device_id/${snapshot?.DeviceID}`,
      `visitor_id/${snapshot?.VisitorID.toUpperCase()}`,
      `session_id/${snapshot?.SessionID}`,
      `cookie_id/${snapshot?.CookieID}`,
      'ip/91.0.0.1',
      'user_hid/account%207',
    ]) {
      const answer = await read(surface, path)
      expect(answer.json()).toEqual([snapshot])
      expect(answer.headers).toMatchObject({
        ...ANNOUNCED,
        'content-type': 'application/json; charset=utf-8',
      })
    }
  })

  test('200: an empty array when nothing matches', async () => {
    const surface = await managementSurface()
    await surface.record()
    for (const path of [`request_id/${randomUUID()}`, 'ip/0.0.0.0', 'user_hid/none', `device_id/${NIL_UUID}`])
      expect((await read(surface, path)).body).toBe('[]')
  })

  test('200: newest first, and at most as many as asked for: 100 unless it is an integer from 1 to 100', async () => {
    const surface = await managementSurface()
    const ids: string[] = []
    for (let count = 0; count < 101; count += 1) ids.unshift(await surface.record({ atMs: 1_000 * count }))
    const counts: Record<string, number> = { '': 100, '?limit=3': 3, '?limit=0': 100, '?limit=101': 100 }
    Object.assign(counts, { '?limit=x': 100, '?limit=%2B5': 5, '?limit=2&offset=50': 2 })
    for (const [query, count] of Object.entries(counts))
      expect(idsOf((await read(surface, `user_hid/anonymous${query}`)).json())).toEqual(ids.slice(0, count))
  })

  test('200: only visits of exactly the domain, none of its subdomains', async () => {
    const surface = await managementSurface()
    const own = await surface.record()
    await surface.record({ host: 'm.shop.example' })
    expect(idsOf((await read(surface, 'user_hid/anonymous')).json())).toEqual([own])
  })

  test('200: a user HID is decoded only when its escaping is canonical', async () => {
    const surface = await managementSurface()
    const escaped = await surface.record({ userHid: 'it%27s' })
    const plain = await surface.record({ userHid: "it's" })
    const literal = await surface.record({ userHid: '%zz' })
    expect(idsOf((await read(surface, 'user_hid/it%27s')).json())).toEqual([plain])
    expect(idsOf((await read(surface, 'user_hid/it%2527s')).json())).toEqual([escaped])
    expect(idsOf((await read(surface, "user_hid/it's")).json())).toEqual([plain])
    expect(idsOf((await read(surface, 'user_hid/%zz')).json())).toEqual([literal])
    expect((await read(surface, 'user_hid/IT%27S')).json()).toEqual([])
  })

  const invalid: [string, number, string][] = [
    ['request_id/abc', 400, '"fail parse uuid"'],
    ['cookie_id/2ed6657de927568b95e12665a8aea6a2', 400, '"fail parse uuid"'],
    ['ip/300.1.1.1', 400, '"invalid IP address"'],
    ['ip/localhost', 400, '"invalid IP address"'],
    ['ip/2001:db8::1', 400, 'null'],
    ['ip/2001%3Adb8%3A%3A1', 400, 'null'],
    ['user_hid/%20', 400, '"value cannot be empty"'],
    ['device_id/%20%20', 400, '"value cannot be empty"'],
    ['latest/all', 404, '"latest is not supported"'],
    ['IP/91.0.0.1', 404, '"IP is not supported"'],
  ]
  test.each(invalid)('%s: %i with the bare JSON %s', async (path, status, body) => {
    const answer = await read(await managementSurface(), path)
    expect([answer.statusCode, answer.body]).toEqual([status, body])
    expect(answer.headers).toMatchObject({ ...ANNOUNCED, 'content-type': 'application/json; charset=utf-8' })
  })

  test('401 with an empty body, no content type, and the announcement', async () => {
    const { app, headers } = await managementSurface()
    for (const wrong of [{}, { ...headers, authorization: 'Bearer wrong' }]) {
      const answer = await app.inject({ url: '/v1/history/latest/all', headers: wrong })
      expect([answer.statusCode, answer.body]).toEqual([401, ''])
      expect(answer.headers).toMatchObject(ANNOUNCED)
      expect(answer.headers).not.toHaveProperty('content-type')
    }
  })

  test('404, plain and without the announcement: an empty value, a slash in it, another method', async () => {
    const surface = await managementSurface()
    const answers = [
      ...(await Promise.all(
        ['', 'user_hid', 'user_hid/', 'user_hid/a/b', 'user_hid/a%2Fb', 'user_hid/a%2fb'].map((path) =>
          read(surface, path),
        ),
      )),
      await surface.app.inject({ method: 'POST', url: '/v1/history/user_hid/a', headers: surface.headers }),
    ]
    for (const answer of answers) {
      expect([answer.statusCode, answer.body]).toEqual([404, '404 page not found'])
      expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
      for (const name of Object.keys(ANNOUNCED)) expect(answer.headers).not.toHaveProperty(name)
    }
  })

  test('500 with the announcement when the server fails', async () => {
    const surface = await managementSurface()
    await surface.store.writes.schema.alterTable('identifications').renameTo('lost').execute()
    const answer = await read(surface, 'ip/91.0.0.1')
    expect(answer.statusCode).toBe(500)
    expect(answer.headers).toMatchObject(ANNOUNCED)
  })

  test('410 from the announced time on, and not a moment before', async () => {
    let nowMs = Date.UTC(2027, 0, 1) - 1
    const surface = await managementSurface({ now: () => nowMs })
    expect((await read(surface, 'ip/91.0.0.1')).statusCode).toBe(200)
    nowMs += 1
    const answer = await read(surface, 'ip/91.0.0.1')
    expect(answer.statusCode).toBe(410)
    expect(answer.json()).toEqual(expect.any(String))
    expect(answer.headers).toMatchObject(ANNOUNCED)
    const older = await surface.app.inject(`/shop.example:${surface.secretKey}/history/ip/91.0.0.1`)
    expect(older.statusCode).toBe(200)
  })
})
