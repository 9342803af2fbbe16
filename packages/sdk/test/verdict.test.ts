import { randomUUID } from 'node:crypto'
import { NIL_UUID } from '@inkling/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AUTOMATED, ordinaryBody } from '../../server/test/contract/bodies.ts'
import { identify } from '../../server/test/contract/callers.ts'
import { ADDRESSES, from, ROOMY_SETTINGS } from '../../server/test/contract/roomy-settings.ts'
import { runningServer, startTestServer } from '../../server/test/running-server.ts'
import { edgeProxy } from './edge-proxy.ts'
import { crowdedFetch, testClient } from './test-client.ts'

let server: Awaited<ReturnType<typeof startTestServer>>
beforeAll(async () => {
  server = await startTestServer({ settings: ROOMY_SETTINGS })
})
afterAll(() => server.close())

const identified = async (given: object = {}, readings = {}): Promise<string> => {
  const requestId = randomUUID()
  await identify(server, requestId, ordinaryBody(given, readings), from(ADDRESSES.home))
  return requestId
}

describe('a scored identification', () => {
  test('is read in one request, with band, flags, identifiers and row', async () => {
    const requestId = await identified({ user_hid: 'a&b' })
    const { client, waits, paths } = testClient(server)
    const verdict = await client.verdict(requestId.toUpperCase())
    expect(verdict).toMatchObject({
      status: 'scored',
      requestId,
      score: 0,
      band: 'trusted',
      signals: [],
      userHid: 'a&b',
      row: { request_id: requestId, user_hid: 'a&b' },
    })
    if (verdict.status !== 'scored') throw new Error(verdict.status)
    expect(verdict.deviceId).toBe(verdict.row.device_id)
    expect(verdict.visitorId).toBe(verdict.row.visitor_id)
    expect(verdict.observedAtMs).toBe(verdict.row.ver)
    expect(waits).toEqual([])
    expect(paths).toEqual([`/api/v1/history/request_id/${requestId}?limit=1&offset=0`])
  })

  test('of an automated browser has its flag and signal', async () => {
    const { client } = testClient(server)
    expect(await client.verdict(await identified({}, AUTOMATED))).toMatchObject({
      score: 60,
      band: 'dangerous',
      flags: { browser_automation: true, vpn: false },
      signals: [{ name: 'browser_automation', weight: 60 }],
    })
  })

  test.each(['anonymous', 'fail', '-1', 'unknown', 'null', ''])(
    'names no account for %j',
    async (user_hid) => {
      const { client } = testClient(server)
      const verdict = await client.verdict(await identified({ user_hid }))
      expect(verdict).toMatchObject({ status: 'scored', row: { user_hid } })
      expect(verdict).toHaveProperty('userHid', undefined)
    },
  )
})

describe('polling', () => {
  test('waits 200 ms, then each time half as long again, up to 1.5 s, until the row exists', async () => {
    const requestId = randomUUID()
    const { client, waits } = testClient(server, {
      onWait: async (count) => {
        if (count === 7) await identify(server, requestId, ordinaryBody(), from(ADDRESSES.home))
      },
    })
    expect(await client.verdict(requestId)).toMatchObject({ status: 'scored', requestId })
    expect(waits).toEqual([200, 300, 450, 675, 1_013, 1_500, 1_500])
  })

  test('returns "not scored yet" after a last attempt at the deadline', async () => {
    const requestId = randomUUID()
    const { client, waits, paths } = testClient(server)
    expect(await client.verdict(requestId, { timeoutMs: 2_000 })).toEqual({
      status: 'not_scored_yet',
      requestId,
    })
    expect(waits).toEqual([200, 300, 450, 675, 375])
    expect(paths).toHaveLength(6)
  })

  test('with a timeout of 0 sends exactly one request', async () => {
    const { client, paths } = testClient(server)
    expect(await client.verdict(randomUUID(), { timeoutMs: 0 })).toMatchObject({ status: 'not_scored_yet' })
    expect(paths).toHaveLength(1)
  })

  test('returns "unverified" after the time in which a row can appear', async () => {
    const { client, waits } = testClient(server)
    expect(await client.verdict(randomUUID())).toMatchObject({ status: 'unverified' })
    expect(waits.reduce((sum, ms) => sum + ms)).toBe(10_000)
  })

  test('does not return "unverified" if the server failed meanwhile', async () => {
    const own = await startTestServer({ settings: ROOMY_SETTINGS })
    const { client } = testClient(own, {
      onWait: async (count) => {
        if (count === 1) await own.close()
      },
    })
    expect(await client.verdict(randomUUID())).toMatchObject({ status: 'not_scored_yet' })
  })

  test('waits a second longer after a real 429', async () => {
    const limited = await runningServer({ settings: { HISTORY_LIMIT_PER_SECOND: '1' } })
    const requestId = randomUUID()
    await identify(limited, requestId, ordinaryBody())
    const { client, waits } = testClient(limited, { fetch: crowdedFetch(), realTime: true })
    expect(await client.verdict(requestId)).toMatchObject({ status: 'scored' })
    expect(waits[0]).toBe(1_200)
  })

  test('is aborted by the caller’s signal', async () => {
    const caller = new AbortController()
    const { client } = testClient(server, { onWait: () => caller.abort(new Error('gone')) })
    const polling = client.verdict(randomUUID(), { signal: caller.signal })
    await expect(polling).rejects.toMatchObject({ code: 'aborted', cause: new Error('gone') })
  })
})

test('the row of a rate-limited visitor has no score', async () => {
  const limited = await runningServer({
    settings: { ...ROOMY_SETTINGS, INGEST_LIMIT_PER_MINUTE: '1' },
  })
  const ids = [randomUUID(), randomUUID(), randomUUID()] as const
  for (const id of ids) await identify(limited, id, ordinaryBody(), from(ADDRESSES.home))
  const { client } = testClient(limited)
  const marked = await client.verdict(ids[1])
  expect(marked).toMatchObject({ status: 'rate_limited', requestId: ids[1], row: { score: 999 } })
  expect(marked).not.toHaveProperty('score')
  expect(await client.verdict(ids[2])).toMatchObject({ status: 'unverified' })
})

test.each(['', 'abc', NIL_UUID, `${randomUUID()}/`, '../user_hid/a'])(
  'a request ID that is none is unverified, and nobody is asked: %j',
  async (requestId) => {
    const { client, paths } = testClient(server)
    expect(await client.verdict(requestId)).toEqual({ status: 'unverified', requestId })
    expect(paths).toEqual([])
  },
)

test('a row of another identification is never accepted', async () => {
  const other = await identified()
  const proxy = await edgeProxy({
    target: server.port,
    rewrite: () => `/api/v1/history/request_id/${other}?limit=1&offset=0`,
  })
  const { client } = testClient({ ...server, url: proxy.url })
  expect(await client.verdict(other, { timeoutMs: 0 })).toMatchObject({ status: 'scored' })
  expect(await client.verdict(randomUUID(), { timeoutMs: 0 })).toMatchObject({ status: 'not_scored_yet' })
})

test('explain returns the evidence, and distinguishes an unknown identification from an unknown route', async () => {
  const { client } = testClient(server)
  const requestId = await identified({}, AUTOMATED)
  expect(await client.explain(requestId)).toMatchObject({
    request_id: requestId,
    score: 60,
    entries: [{ name: 'browser_automation', value: 60 }],
  })
  expect(await client.explain(randomUUID())).toBeUndefined()
  const elsewhere = testClient({ ...server, url: `${server.url}/api` }).client
  await expect(elsewhere.explain(requestId)).rejects.toMatchObject({ code: 'not_found' })
})
