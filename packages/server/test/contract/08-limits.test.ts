import { randomUUID } from 'node:crypto'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createRateLimit } from '../../src/lib/limits.ts'
import { runningServer } from '../running-server.ts'
import { ordinaryBody } from './bodies.ts'
import { history, historyPage, identify, management } from './callers.ts'
import { soon } from './operator.ts'
import { rawRequest } from './raw-request.ts'
import { ADDRESSES, from } from './roomy-settings.ts'

afterEach(() => vi.useRealTimers())

const times = <Result>(count: number, run: (index: number) => Promise<Result>): Promise<Result[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => run(index)))

const count = (statuses: readonly number[], status: number): number =>
  statuses.filter((given) => given === status).length

describe('8 History rate', () => {
  test('a domain has 15 requests per second; more get 429 and no block follows', async () => {
    const server = await runningServer()
    const statuses = await times(40, async () => (await history(server, 'user_hid/a')).status)
    // A new window may have begun during the loop.
    expect([15, 30]).toContain(count(statuses, 200))
    expect(count(statuses, 200) + count(statuses, 429)).toBe(40)
    await soon(async () => expect((await history(server, 'user_hid/a')).status).toBe(200))
  })

  test('all callers of a domain share it, malformed values count, and each domain has its own', async () => {
    const server = await runningServer({
      settings: { HISTORY_LIMIT_PER_SECOND: '2', TRUST_PROXY: '127.0.0.1' },
      otherDomains: ['other.example'],
    })
    const [keys] = server.others
    if (!keys) throw new Error('no other domain')
    const statuses = await times(12, async (index) => {
      const answer = await history(server, index % 2 === 0 ? 'device_id/abc' : 'user_hid/a', {
        headers: from(`203.0.113.${index}`),
      })
      return answer.status
    })
    expect(count(statuses, 429)).toBeGreaterThanOrEqual(8)
    expect((await history({ ...server, keys }, 'user_hid/a')).status).toBe(200)
  })

  test('answers of 401 and 404 do not count', async () => {
    const server = await runningServer({ settings: { HISTORY_LIMIT_PER_SECOND: '1' } })
    await times(10, () => rawRequest(server, { path: '/api/v1/history/user_hid/a' }))
    await times(10, () => history(server, 'user_hid/'))
    expect((await history(server, 'user_hid/a')).status).toBe(200)
  })

  test('each second is a separate window', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
    const limit = createRateLimit(
      { points: 15, windowSeconds: 1, blockSeconds: 0 },
      { name: 'test', pool: undefined },
    )
    const take = async () => {
      const said: string[] = []
      for (let taken = 0; taken < 17; taken += 1) said.push(await limit.take('shop.example'))
      return said.map((permission) => permission === 'allowed').lastIndexOf(true) + 1
    }
    expect(await take()).toBe(15)
    vi.advanceTimersByTime(1_001)
    expect(await take()).toBe(15)
  })
})

describe('8 Management rate', () => {
  const statusOf = async (server: Parameters<typeof management>[0], headers: Record<string, string> = {}) =>
    (await management(server, '/v1/profile', { headers })).status

  test('an address has 15 requests per minute; one more blocks all of its requests', async () => {
    const server = await runningServer()
    const secretKey = server.keys.secret_key
    for (let sent = 0; sent < 15; sent += 1) expect(await statusOf(server)).toBe(200)
    expect(await statusOf(server)).toBe(429)
    for (const path of ['/v1/profile', '/v1/history/user_hid/a', '/v1/history/nothing/a'])
      expect((await management(server, path)).status).toBe(429)
    expect((await rawRequest(server, { path: '/v1/profile' })).status).toBe(429)
    expect((await rawRequest(server, { path: `/shop.example:${secretKey}/profile` })).status).toBe(429)
    const callback = {
      method: 'POST',
      path: `/shop.example:${secretKey}/callback`,
      body: 'https://a.example',
    }
    expect((await rawRequest(server, callback)).status).toBe(429)
    // It affects neither History nor health.
    expect((await history(server, 'user_hid/a')).status).toBe(200)
    expect((await rawRequest(server, { path: '/health' })).status).toBe(200)
  })

  test('S10.11 401s and the older routes count; /health and unmatched paths do not', async () => {
    const server = await runningServer({ settings: { MANAGEMENT_LIMIT_PER_MINUTE: '5' } })
    for (let sent = 0; sent < 20; sent += 1) await rawRequest(server, { path: '/health' })
    for (const path of [
      '/v1/profile',
      '/v1/history/user_hid/a',
      '/shop.example:wrong/profile',
      '/shop.example:wrong/history/user_hid/a',
    ])
      expect((await rawRequest(server, { path })).status).toBe(401)
    expect(await statusOf(server)).toBe(200)
    expect(await statusOf(server)).toBe(429)
  })

  test('S10.9 it applies to the client address that the trusted proxy forwards', async () => {
    const server = await runningServer({
      settings: { MANAGEMENT_LIMIT_PER_MINUTE: '1', TRUST_PROXY: '127.0.0.1,10.0.0.0/8' },
    })
    const of = (address: string) => statusOf(server, from(address))
    expect(await of('203.0.113.1')).toBe(200)
    expect(await of('203.0.113.2')).toBe(200)
    expect(await of('203.0.113.1')).toBe(429)
    // The client forges the left addresses; the proxy wrote the right one, which stays the same.
    expect(await of('198.51.100.9, 203.0.113.2, 10.1.1.1')).toBe(429)
    expect(await of('::ffff:203.0.113.2')).toBe(429)
    expect(await of('203.0.113.3')).toBe(200)
  })

  test('the header of anyone but a trusted proxy is ignored', async () => {
    const server = await runningServer({ settings: { MANAGEMENT_LIMIT_PER_MINUTE: '1' } })
    expect(await statusOf(server, from('203.0.113.1'))).toBe(200)
    expect(await statusOf(server, from('203.0.113.2'))).toBe(429)
  })

  test('S10.11 the block lasts ten minutes, and requests during it do not extend it', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
    const limit = createRateLimit(
      { points: 15, windowSeconds: 60, blockSeconds: 600 },
      { name: 'test', pool: undefined },
    )
    for (let taken = 0; taken < 15; taken += 1) expect(await limit.take('a')).toBe('allowed')
    expect(await limit.take('a')).toBe('exceeded')
    for (let minute = 0; minute < 9; minute += 1) {
      vi.advanceTimersByTime(60_000)
      expect(await limit.take('a')).toBe('blocked')
    }
    vi.advanceTimersByTime(59_000)
    expect(await limit.take('a')).toBe('blocked')
    vi.advanceTimersByTime(1_001)
    expect(await limit.take('a')).toBe('allowed')
  })
})

describe('8 X-Svc-Domain length', () => {
  test('253 characters work, 254 cannot be registered', async () => {
    const label = 'a'.repeat(61)
    const domain = `${label}.${label}.${label}.${'b'.repeat(59)}.example`
    expect(domain).toHaveLength(253)
    const server = await runningServer({ domain })
    expect((await management(server, '/v1/profile')).status).toBe(200)
    const longer = { headers: { 'x-svc-domain': `a${domain}` } }
    expect((await management(server, '/v1/profile', longer)).status).toBe(401)
  })
})

describe('8 the ingest limit', () => {
  test('rejected keys and origins do not count, so another page cannot block a visitor', async () => {
    const server = await runningServer({
      settings: { INGEST_LIMIT_PER_MINUTE: '1', TRUST_PROXY: '127.0.0.1' },
    })
    await times(5, () =>
      rawRequest(server, {
        method: 'POST',
        path: `/snapshot/${randomUUID()}?publicKey=${server.keys.public_key}`,
        headers: { origin: 'https://evil.example', ...from(ADDRESSES.home) },
        body: '{}',
      }),
    )
    await identify(server, randomUUID(), ordinaryBody(), from(ADDRESSES.home))
    const { data } = await historyPage(server, 'latest/all')
    expect(data.map(({ score }) => score)).toEqual([0])
  })
})
