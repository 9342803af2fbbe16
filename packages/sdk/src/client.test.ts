import { afterEach, expect, test } from 'vitest'
import { type Answer, answerJson, answerText, hangUp, historyStandIn } from '../test/history-stand-in.ts'
import { type ClientOptions, createClient } from './client.ts'

const ID = '0191e7a0-1111-4222-8333-444455556666'
const EMPTY = answerJson(200, { data: [], total: 0 })
const SCORED = answerJson(200, { data: [{ request_id: ID, score: 10 }], total: 1 })
const BUSY = answerJson(429, { error: 'too many requests' })

const open: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

/** A client whose clock moves only by sleeping. */
async function setUp(answers: Answer[], options: Partial<ClientOptions> = {}) {
  const history = await historyStandIn(answers)
  open.push(history.close)
  const waits: number[] = []
  let time = 0
  const client = createClient({
    historyUrl: `${history.url}/`,
    apiKey: 'sec_key',
    now: () => time,
    sleep: async (ms) => {
      waits.push(ms)
      time += ms
    },
    ...options,
  })
  return { client, waits, seen: history.seen }
}

test('verdict asks at once, with the key, and takes the row', async () => {
  const { client, waits, seen } = await setUp([SCORED])
  expect(await client.verdict(ID.toUpperCase())).toMatchObject({ request_id: ID, score: 10 })
  expect(waits).toEqual([])
  expect(seen).toEqual([
    { url: `/api/v1/history/request_id/${ID}?limit=1&offset=0`, authorization: 'Bearer sec_key' },
  ])
})

test('verdict polls at 250 ms, 500 ms, 1 s and then every 1.5 s', async () => {
  const { client, waits } = await setUp([EMPTY, EMPTY, EMPTY, EMPTY, EMPTY, SCORED])
  expect(await client.verdict(ID)).toMatchObject({ score: 10 })
  expect(waits).toEqual([250, 500, 1_000, 1_500, 1_500])
})

test('verdict is undefined when unscored by the deadline, where it asks a last time', async () => {
  const { client, waits, seen } = await setUp([EMPTY])
  expect(await client.verdict(ID, { timeoutMs: 2_000 })).toBeUndefined()
  expect(waits).toEqual([250, 500, 1_000, 250])
  expect(seen).toHaveLength(5)
})

test('a timeout of 0 asks exactly once', async () => {
  const { client, seen } = await setUp([EMPTY])
  expect(await client.verdict(ID, { timeoutMs: 0 })).toBeUndefined()
  expect(seen).toHaveLength(1)
})

test('a 429 while polling means wait longer, and longer still when the server says so', async () => {
  const wait3 = answerJson(429, { error: 'too many requests' }, { 'retry-after': '3' })
  const { client, waits } = await setUp([EMPTY, BUSY, wait3, SCORED])
  expect(await client.verdict(ID)).toMatchObject({ score: 10 })
  expect(waits).toEqual([250, 1_000, 3_000])
})

test('a host that never answered is an error, not an unscored visit', async () => {
  const { client } = await setUp([hangUp])
  await expect(client.verdict(ID, { timeoutMs: 1_000 })).rejects.toMatchObject({ code: 'network' })
})

test("another identification's row never passes for this one", async () => {
  const other = answerJson(200, { data: [{ request_id: ID.replace('0191', '9999'), score: 0 }], total: 1 })
  const { client } = await setUp([other])
  expect(await client.verdict(ID, { timeoutMs: 0 })).toBeUndefined()
})

test("the caller's signal ends the polling", async () => {
  const caller = new AbortController()
  const { client } = await setUp([EMPTY], { sleep: async () => caller.abort(new Error('gone')) })
  await expect(client.verdict(ID, { signal: caller.signal })).rejects.toMatchObject({ code: 'aborted' })
})

test('an answer that does not come is a timeout', async () => {
  const { client } = await setUp([() => {}], { requestTimeoutMs: 1, retry: { attempts: 1 } })
  await expect(client.search('ip', '8.8.8.8')).rejects.toMatchObject({ code: 'timeout' })
})

test('search retries 429, 5xx and broken connections', async () => {
  const { client, waits } = await setUp([BUSY, answerText(502, '<html>'), hangUp, SCORED])
  expect(await client.search('user_hid', 'a b', { limit: 1 })).toMatchObject({ total: 1 })
  expect(waits).toEqual([1_000, 500, 1_000])
})

test('search gives up after its attempts, with the last failure', async () => {
  const { client, seen } = await setUp([answerText(503, '')], { retry: { attempts: 2 } })
  await expect(client.search('ip', '8.8.8.8')).rejects.toMatchObject({ code: 'server_error', status: 503 })
  expect(seen).toHaveLength(2)
})

test.each([
  ['a wrong key', answerText(401, '{"error":"invalid api key"}\n'), 'unauthorized'],
  ['a wrong base URL', answerText(404, '404 page not found'), 'not_found'],
  ['a bad request', answerJson(400, { error: 'no' }), 'invalid_request'],
  [
    'a malformed value',
    answerJson(500, { error: "code: 53, message: Cannot convert string 'abc' to type UUID" }),
    'invalid_request',
  ],
  ['a page that is none', answerJson(200, { hello: 1 }), 'unexpected_response'],
  [
    'a redirect',
    ((_, response) => response.writeHead(302, { location: '/' }).end()) as Answer,
    'unexpected_response',
  ],
])('%s is not retried', async (_, answer, code) => {
  const { client, seen } = await setUp([answer])
  await expect(client.search('ip', '8.8.8.8')).rejects.toMatchObject({ name: 'InklingError', code })
  expect(seen).toHaveLength(1)
})

test('the reason of a refusal is read even when it is sent as plain text', async () => {
  const { client } = await setUp([answerText(401, '{"error":"invalid api key"}\n')])
  await expect(client.search('ip', '8.8.8.8')).rejects.toThrow('invalid api key')
})

test('explain tells an unknown identification from an unknown route', async () => {
  const explanation = { request_id: ID, score: 10, entries: [], clear: ['tor'], unknown: [] }
  const { client } = await setUp([
    answerJson(200, explanation),
    answerJson(404, { error: 'no such identification' }),
    answerText(404, '404 page not found'),
  ])
  expect(await client.explain(ID)).toEqual(explanation)
  expect(await client.explain(ID)).toBeUndefined()
  await expect(client.explain(ID)).rejects.toMatchObject({ code: 'not_found' })
})

test('a client without a key or a usable address is refused', () => {
  expect(() => createClient({ historyUrl: 'http://x.test', apiKey: '' })).toThrow('apiKey')
  expect(() => createClient({ historyUrl: 'x.test', apiKey: 'sec_key' })).toThrow('historyUrl')
})
