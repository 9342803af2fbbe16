import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { freePort } from '../../server/src/lib/free-port.ts'
import { ordinaryBody } from '../../server/test/contract/bodies.ts'
import { identify } from '../../server/test/contract/callers.ts'
import { ROOMY_SETTINGS } from '../../server/test/contract/roomy-settings.ts'
import { runningServer, startTestServer, type TestServer } from '../../server/test/running-server.ts'
import { createClient } from '../src/client.ts'
import { getJson } from '../src/request.ts'
import { withRetry } from '../src/retry.ts'
import { edgeProxy } from './edge-proxy.ts'
import { silentHost } from './silent-host.ts'
import { crowdedFetch, testClient } from './test-client.ts'

let server: Awaited<ReturnType<typeof startTestServer>>
beforeAll(async () => {
  server = await startTestServer({ settings: ROOMY_SETTINGS })
})
afterAll(() => server.close())

/** A request that no public function sends. */
const bypass = ({ url, keys }: TestServer, path: string) =>
  getJson({
    api: 'History',
    url: url + path,
    headers: { authorization: `Bearer ${keys.api_key}` },
    fetch,
    timeoutMs: 5_000,
  })

test('a 429 is retried after a second', async () => {
  const server = await runningServer({ settings: { HISTORY_LIMIT_PER_SECOND: '1' } })
  const requestId = randomUUID()
  await identify(server, requestId, ordinaryBody())
  const { client, waits } = testClient(server, { fetch: crowdedFetch(), realTime: true })
  expect(await client.history.search('request_id', requestId)).toMatchObject({ total: 1 })
  expect(waits).toEqual([1_000])
})

test('a 429 that is not retried is rate_limited', async () => {
  const server = await runningServer({ settings: { HISTORY_LIMIT_PER_SECOND: '1' } })
  const { client } = testClient(server, { fetch: crowdedFetch(), retry: { attempts: 1 } })
  await expect(client.history.search('user_hid', 'a')).rejects.toMatchObject({
    name: 'InklingError',
    code: 'rate_limited',
    status: 429,
    retryable: true,
    message: 'History API answered 429: too many requests',
  })
})

test('a 500 is retried until the server recovers', async () => {
  const server = await runningServer({ settings: { LOG_LEVEL: 'silent' } })
  const rename = (from: string, to: string) =>
    sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(server.store.writes)
  await rename('identifications', 'away')
  const { client, waits } = testClient(server, {
    onWait: async (count) => {
      if (count === 2) await rename('away', 'identifications')
    },
  })
  expect(await client.history.search('user_hid', 'a')).toEqual({ data: [], total: 0 })
  expect(waits).toEqual([400, 800])
})

test('a 502 page of a proxy is retried until the server responds', async () => {
  const proxy = await edgeProxy({ target: await freePort('127.0.0.1') })
  const { client, waits } = testClient(
    { ...server, url: proxy.url },
    {
      onWait: (count) => {
        if (count === 2) proxy.target = server.port
      },
    },
  )
  expect(await client.history.search('user_hid', 'a')).toEqual({ data: [], total: 0 })
  expect(waits).toEqual([400, 800])
})

test('a server that does not recover is an error after four attempts, with the last failure', async () => {
  const proxy = await edgeProxy({ target: await freePort('127.0.0.1') })
  const { client, paths } = testClient({ ...server, url: proxy.url })
  await expect(client.history.search('user_hid', 'a')).rejects.toMatchObject({
    code: 'server_error',
    status: 502,
  })
  expect(paths).toHaveLength(4)
})

test('Retry-After of a proxy is respected up to a limit', async () => {
  let answers = 0
  const proxy = await edgeProxy({
    target: server.port,
    intercept: (_, response) => {
      answers += 1
      if (answers > 2) return undefined
      response.writeHead(503, { 'retry-after': answers === 1 ? '3' : '3600' }).end('<html>')
      return true
    },
  })
  const { client, waits } = testClient({ ...server, url: proxy.url })
  await client.history.search('user_hid', 'a')
  expect(waits).toEqual([3_000, 10_000])
})

test('a closed port is a network error, after the same attempts', async () => {
  const { client, waits } = testClient({ ...server, url: `http://127.0.0.1:${await freePort('127.0.0.1')}` })
  await expect(client.history.search('user_hid', 'a')).rejects.toMatchObject({ code: 'network' })
  expect(waits).toEqual([400, 800, 1_600])
  await expect(client.verdict(randomUUID(), { timeoutMs: 1_000 })).rejects.toMatchObject({ code: 'network' })
})

test('a host that accepts the request and never responds is a timeout', async () => {
  const silent = await silentHost()
  onTestFinished(silent.close)
  const client = createClient({
    historyUrl: silent.url,
    apiKey: 'sec_key',
    requestTimeoutMs: 50,
    retry: { attempts: 1 },
  })
  await expect(client.history.search('ip', '8.8.8.8')).rejects.toMatchObject({ code: 'timeout' })
})

test('a wrong key is not retried', async () => {
  const { client, paths } = testClient(server, { apiKey: server.keys.secret_key })
  const refusal = { code: 'unauthorized', status: 401, message: 'History API answered 401: invalid api key' }
  await expect(client.history.search('user_hid', 'a')).rejects.toMatchObject(refusal)
  await expect(client.verdict(randomUUID())).rejects.toMatchObject(refusal)
  await expect(client.explain(randomUUID())).rejects.toMatchObject(refusal)
  expect(paths).toHaveLength(3)
})

test('a base URL with a wrong path is not_found and not retried', async () => {
  const { client, paths } = testClient({ ...server, url: `${server.url}/api/` })
  await expect(client.history.search('user_hid', 'a')).rejects.toMatchObject({
    code: 'not_found',
    status: 404,
  })
  await expect(client.verdict(randomUUID())).rejects.toMatchObject({ code: 'not_found' })
  expect(paths).toHaveLength(2)
})

test.each([
  ['a malformed UUID', '/api/v1/history/device_id/abc', 500],
  ['a malformed address', '/api/v1/history/ip/1.2.3', 500],
  ['a malformed ID to explain', '/api/v1/explanation/abc', 400],
])('%s is invalid_request and not retried', async (_, path, status) => {
  let tries = 0
  const call = () => {
    tries += 1
    return bypass(server, path)
  }
  await expect(withRetry(call, {}, { sleep: async () => {}, random: Math.random })).rejects.toMatchObject({
    code: 'invalid_request',
    status,
    retryable: false,
  })
  expect(tries).toBe(1)
})

test.each([
  ['a redirect, which would take the key elsewhere', 302, ''],
  ['a page that is no answer of the API', 200, '<html>Welcome'],
  ['JSON that is no page of rows', 200, '{"data":[{}],"total":1}'],
])('%s is unexpected_response and not retried', async (_, status, body) => {
  const proxy = await edgeProxy({
    target: server.port,
    intercept: (_path, response) => {
      response.writeHead(status, { location: `${server.url}/api/v1/history/user_hid/a` }).end(body)
      return true
    },
  })
  const { client, paths } = testClient({ ...server, url: proxy.url })
  await expect(client.history.search('user_hid', 'a')).rejects.toMatchObject({
    code: 'unexpected_response',
    status,
  })
  if (status === 200)
    await expect(client.explain(randomUUID())).rejects.toMatchObject({ code: 'unexpected_response' })
  expect(paths).toHaveLength(status === 200 ? 2 : 1)
})

test('the caller’s signal aborts a request and a wait', async () => {
  const { client, paths } = testClient(server)
  const gone = AbortSignal.abort(new Error('gone'))
  await expect(client.history.search('user_hid', 'a', { signal: gone })).rejects.toMatchObject({
    code: 'aborted',
  })
  const caller = new AbortController()
  const refused = testClient(
    { ...server, url: `http://127.0.0.1:${await freePort('127.0.0.1')}` },
    { onWait: () => caller.abort() },
  )
  const search = refused.client.history.search('user_hid', 'a', { signal: caller.signal })
  await expect(search).rejects.toMatchObject({ code: 'aborted' })
  expect([paths.length, refused.paths.length]).toEqual([1, 1])
})

test('wrong arguments are invalid_argument, and nothing is sent', async () => {
  const { client, paths } = testClient(server)
  const wrong = { code: 'invalid_argument', retryable: false }
  await expect(client.history.search('device_id', 'abc')).rejects.toMatchObject(wrong)
  await expect(client.history.search('ip', '2001:db8::1')).rejects.toMatchObject(wrong)
  await expect(client.history.search('user_hid', 'a/b')).rejects.toMatchObject(wrong)
  await expect(client.history.search('user_hid', 'a', { limit: 101 })).rejects.toMatchObject(wrong)
  await expect(client.history.rows('user_hid', '').next()).rejects.toMatchObject(wrong)
  await expect(client.explain('abc')).rejects.toMatchObject(wrong)
  expect(paths).toEqual([])
})

test.each([
  ['no key', { historyUrl: 'http://x.test', apiKey: '' }, 'apiKey'],
  ['no scheme', { historyUrl: 'x.test', apiKey: 'sec_key' }, 'historyUrl'],
  ['another scheme', { historyUrl: 'ftp://x.test', apiKey: 'sec_key' }, 'historyUrl'],
  ['a query', { historyUrl: 'http://x.test/?a=', apiKey: 'sec_key' }, 'historyUrl'],
])('a client with %s is an error', (_, options, name) => {
  expect(() => createClient(options)).toThrow(name)
})
