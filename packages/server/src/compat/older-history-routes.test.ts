import { randomUUID } from 'node:crypto'
import { LegacySnapshot, OlderHistoryPage, OlderHistoryRow } from '@inkling/contract'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import { describe, expect, test } from 'vitest'
import { surface, type TestDomain, temporaryDomain } from '../../test/temporary-surface.ts'
import { registerDomain } from '../auth/register-domain.ts'
import { createRateLimit } from '../lib/limits.ts'
import { domainStore } from '../store/domains/domains.ts'
import { OLDER_HISTORY_PREFIX, olderHistoryRoutes } from './older-history-routes.ts'

interface Opened extends TestDomain {
  app: FastifyInstance
  /** Answers of a path below the credentials. */
  get(path: string): Promise<LightMyRequestResponse>
}

async function open(points = 1_000): Promise<Opened> {
  const domain = await temporaryDomain()
  const routes = olderHistoryRoutes({
    directory: domain.directory,
    store: domain.store,
    limit: createRateLimit(
      { points, windowSeconds: 1_000, blockSeconds: 0 },
      { name: 'test', pool: undefined },
    ),
  })
  const app = surface(routes, [OLDER_HISTORY_PREFIX])
  const base = `/pub/${domain.publicKey}/${domain.secretKey}`
  return { ...domain, app, get: async (path) => app.inject(`${base}/${path}`) }
}

describe('…/history/:search_type/:value', () => {
  test('200: rows with exactly the older fields, subdomains included, newest first', async () => {
    const { get, record } = await open()
    const first = await record({ atMs: Date.UTC(2026, 0, 2, 3, 4, 5, 6), via: 'noscript' })
    const second = await record({ atMs: Date.UTC(2026, 0, 3), host: 'm.shop.example' })
    const answer = await get('history/ip/91.0.0.1')
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, 'application/json'])
    const page = OlderHistoryPage.extend({ data: OlderHistoryRow.strict().array() })
      .strict()
      .parse(answer.json())
    expect(page.total).toBe(2)
    expect(page.data.map(({ request_id }) => request_id)).toEqual([second, first])
    expect(page.data[1]).toEqual({
      request_id: first,
      device_id: '7d3b1f52-8c4e-5a6b-9d0e-1f2a3b4c5d6e',
      visitor_id: '9a7b6c5d-4e3f-5a1b-8c2d-3e4f5a6b7c8d',
      user_hid: 'anonymous',
      ip: '91.0.0.1',
      os: 'Windows',
      country: 'Germany',
      score: 90,
      details: [{ Value: 90, Description: 'JavaScript disabled' }],
      created_at: '2026-01-02 03:04:05.006',
    })
  })

  test('200: an empty page when nothing matches', async () => {
    const answer = await (await open()).get(`history/request_id/${randomUUID()}`)
    expect([answer.statusCode, answer.body]).toEqual([200, '{"total":0,"data":[]}\n'])
  })

  test('200: limit 1-100, 20 otherwise, and offset; the total counts all', async () => {
    const { get, record } = await open()
    const ids: string[] = []
    for (let count = 0; count < 21; count += 1) ids.unshift(await record({ atMs: 1_000 * count }))
    const queries: [string, string[]][] = [
      ['', ids.slice(0, 20)],
      ['?limit=101', ids.slice(0, 20)],
      ['?limit=21', ids],
      ['?limit=2&offset=3', ids.slice(3, 5)],
      ['?offset=20', ids.slice(20)],
    ]
    for (const [query, expected] of queries) {
      const page = OlderHistoryPage.parse((await get(`history/user_hid/anonymous${query}`)).json())
      expect(page.data.map(({ request_id }) => request_id)).toEqual(expected)
      expect(page.total).toBe(21)
    }
  })

  test('200: a user HID is decoded only when its escaping is canonical', async () => {
    const { get, record } = await open()
    await record({ userHid: 'a b' })
    await record({ userHid: '%zz' })
    expect((await get('history/user_hid/a%20b')).json().total).toBe(1)
    expect((await get('history/user_hid/a+b')).json().total).toBe(0)
    expect((await get('history/user_hid/%zz')).json().total).toBe(1)
  })
})

describe('…/debug/:search_type/:value', () => {
  test('200: the last snapshots, 20 unless fewer are asked for', async () => {
    const { get, record } = await open()
    for (let count = 0; count < 22; count += 1) await record({ atMs: 1_000 * count })
    const counts: [string, number][] = [
      ['', 20],
      ['?limit=3&offset=1', 3],
      ['?limit=21', 20],
      ['?limit=x', 20],
    ]
    for (const [query, count] of counts) {
      const answer = await get(`debug/user_hid/anonymous${query}`)
      const snapshots = LegacySnapshot.strict().array().parse(answer.json())
      expect(snapshots).toHaveLength(count)
      expect(snapshots[0]?.LastRequestTime).toBe('1970-01-01T00:00:21.000Z')
    }
  })

  test('404 with an error object when nothing matches', async () => {
    const answer = await (await open()).get('debug/ip/192.0.2.1')
    expect([answer.statusCode, answer.body]).toEqual([404, '{"error":"no sessions found"}\n'])
    expect(answer.headers['content-type']).toBe('application/json')
  })
})

describe('…/request/:request_id', () => {
  test('200: one row of the history’s shape', async () => {
    const { get, record } = await open()
    const id = await record()
    const answer = await get(`request/${id.toUpperCase()}`)
    expect(OlderHistoryRow.strict().parse(answer.json()).request_id).toBe(id)
  })

  test('404 with an error object when there is none, another domain’s included', async () => {
    const { get, store, record } = await open()
    await registerDomain(store, 'other.example', 0)
    const other = await domainStore(store.reads).find('other.example')
    const foreign = await record({ domain: { id: other?.id ?? 0, name: 'other.example', namespace: '' } })
    for (const id of [randomUUID(), foreign]) {
      const answer = await get(`request/${id}`)
      expect([answer.statusCode, answer.json()]).toEqual([404, { error: 'no sessions found' }])
    }
  })
})

describe('every older history path', () => {
  test('401 with an error object unless both keys are those of one enabled domain', async () => {
    const { app, publicKey, secretKey, store, directory, domainId } = await open()
    const other = await registerDomain(store, 'other.example', 0)
    await directory.refresh()
    const status = async (keys: string) => {
      const answer = await app.inject(`/pub/${keys}/history/ip/91.0.0.1`)
      if (answer.statusCode === 401) expect(answer.json()).toEqual({ error: expect.any(String) })
      return answer.statusCode
    }
    expect(await status(`${publicKey}/${secretKey}`)).toBe(200)
    expect(await status(`${publicKey}/${other?.secret_key}`)).toBe(401)
    expect(await status(`${other?.public_key}/${secretKey}`)).toBe(401)
    expect(await status(`${secretKey}/${publicKey}`)).toBe(401)
    expect(await status('x/y')).toBe(401)
    await domainStore(store.writes).change(domainId, { enabled: 0 })
    await directory.refresh()
    expect(await status(`${publicKey}/${secretKey}`)).toBe(401)
  })

  test('500, as History says it, for a malformed UUID or address', async () => {
    const { get } = await open()
    for (const path of ['history/device_id/abc', 'debug/device_id/abc', 'request/abc'])
      expect((await get(path)).body).toBe(
        '{"error":"code: 53, message: Cannot convert string \'abc\' to type UUID"}\n',
      )
    const address = await get('history/ip/x')
    expect([address.statusCode, address.json()]).toEqual([
      500,
      { error: "code: 6, message: Cannot parse string 'x' as IPv4" },
    ])
  })

  test('429 over the domain’s limit', async () => {
    const { get } = await open(1)
    await get('history/ip/91.0.0.1')
    const answer = await get('debug/ip/91.0.0.1')
    expect([answer.statusCode, answer.json()]).toEqual([429, { error: 'too many requests' }])
  })

  test('404, plain: unknown forms, empty values, a slash in the value, another method', async () => {
    const { app, get, publicKey } = await open()
    const answers = await Promise.all([
      ...[
        '',
        'unknown/ip/x',
        'history/ip',
        'history/ip/',
        'history/user_hid/a%2Fb',
        'debug/ip/x/y',
        'request/',
      ].map(get),
      app.inject('/pub/'),
      app.inject(`/pub//${publicKey}/history/ip/x`),
      app.inject({ method: 'POST', url: `/pub/${publicKey}/${publicKey}/history/ip/x` }),
    ])
    for (const answer of answers)
      expect([answer.statusCode, answer.body]).toEqual([404, '404 page not found'])
  })
})
