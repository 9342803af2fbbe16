import { AssessRequest } from '@inkling/contract'
import { expect, test } from 'vitest'
import { createClient } from './client.ts'
import { edgeRequestOfNode, edgeRequestOfWeb, type NodeRequest } from './edge-request.ts'
import { expressGuard, webGuard } from './guard.ts'

const FACTS = { address: '91.10.0.7', origin: 'https://shop.example' }
const nodeRequest = (given: Partial<NodeRequest>): NodeRequest => ({
  url: '/cart',
  httpVersion: '1.1',
  rawHeaders: [],
  headers: {},
  socket: {},
  ...given,
})

test.each<[string, Partial<NodeRequest>, object]>([
  ['URL', { url: `/${'x'.repeat(20_000)}` }, {}],
  ['whole URL', { url: 'http://evil.example:99999/' }, {}],
  ['asterisk', { method: 'OPTIONS', url: '*' }, {}],
  ['user name in the path', { url: '@evil.example/' }, {}],
  ['method', { method: 'M-SEARCH' }, {}],
  ['header name', { rawHeaders: ['x'.repeat(300), '1'] }, {}],
  ['row of headers', { rawHeaders: Array.from({ length: 90 }, () => ['a', 'x'.repeat(9_000)]).flat() }, {}],
  ['Host', { rawHeaders: ['Host', 'a b'], headers: { host: 'a b' } }, {}],
  ['request ID', {}, { requestId: 'mine' }],
  ['fingerprint', {}, { http2: { fingerprint: 'x'.repeat(900) } }],
])('no %s that a client may send makes the API refuse the question', (_name, request, more) => {
  const asked = edgeRequestOfNode(nodeRequest(request), { ...FACTS, ...more })
  expect(AssessRequest.safeParse(asked).error).toBeUndefined()
  expect(new URL(asked.url).origin).toBe(FACTS.origin)
  expect(JSON.stringify(asked).length).toBeLessThan(64 * 1_024)
})

test('the host is the one of the configuration, whatever the client wrote', () => {
  const asked = edgeRequestOfWeb(new Request('https://evil.example/cart?x=1'), FACTS)
  expect(asked.url).toBe('https://shop.example/cart?x=1')
  const missing = { address: FACTS.address } as typeof FACTS
  expect(() => edgeRequestOfWeb(new Request('https://evil.example/'), missing)).toThrow('origin')
})

test('what the API refuses to read is asked again without what is not needed', async () => {
  const asked: unknown[] = []
  const client = createClient({
    historyUrl: 'https://inkling.example',
    apiKey: 'sec_1',
    fetch: (_url, init) => {
      asked.push(JSON.parse(String(init?.body)))
      const refused = asked.length === 1
      return Promise.resolve(
        refused
          ? new Response('bad', { status: 400 })
          : Response.json({ assessment_id: '1', action: 'deny', score: 0 }),
      )
    },
  })
  const guard = webGuard(client, { facts: () => FACTS })
  const headers = { 'user-agent': 'GPTBot', 'x-odd': '1' }
  const { response } = await guard(new Request('https://shop.example/', { headers }))
  expect(response?.status).toBe(403)
  expect(asked[1]).toMatchObject({ url: 'https://shop.example/', headers: [['user-agent', 'GPTBot']] })
})

test('what the next handler throws reaches the error handler, as without the guard', async () => {
  const client = createClient({
    historyUrl: 'https://inkling.example',
    apiKey: 'sec_1',
    fetch: () => Promise.resolve(Response.json({ assessment_id: '1', action: 'allow', score: 0 })),
  })
  const guard = expressGuard<NodeRequest>(client, { facts: () => FACTS })
  const handled = await new Promise((resolve) => {
    const response = { statusCode: 200, setHeader: () => undefined, end: () => undefined }
    guard(nodeRequest({}), response, (error) => {
      if (error) return resolve(error)
      throw new Error('thrown by the page')
    })
  })
  expect(handled).toEqual(new Error('thrown by the page'))
})
