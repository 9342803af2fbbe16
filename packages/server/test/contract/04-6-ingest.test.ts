import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { postSnapshot, runningServer, startTestServer } from '../running-server.ts'
import { AUTOMATED, ordinaryBody } from './bodies.ts'
import { as, historyPage, identify, rowOf } from './callers.ts'
import { encryptBody, serverKey } from './encrypt-body.ts'
import { PLAIN_404, type RawRequest, rawRequest, shapeOf } from './raw-request.ts'
import { ADDRESSES, from, ROOMY_SETTINGS } from './roomy-settings.ts'

let server: Awaited<ReturnType<typeof startTestServer>>
let other: typeof server
beforeAll(async () => {
  server = await startTestServer({ settings: ROOMY_SETTINGS, otherDomains: ['other.example'] })
  const [keys] = server.others
  if (!keys) throw new Error('no other domain')
  other = as(server, keys)
})
afterAll(() => server.close())

const total = async (target = server) => (await historyPage(target, 'latest/all?limit=1')).total

const post = (requestId: string, given: Partial<RawRequest> & { query?: string } = {}) =>
  rawRequest(server, {
    method: 'POST',
    path: `/snapshot/${requestId}${given.query ?? `?publicKey=${server.keys.public_key}`}`,
    headers: { origin: 'https://shop.example', ...given.headers },
    body: given.body ?? ordinaryBody(),
  })

describe('4.6 the acknowledgment', () => {
  test('is 200 with the client IP as a JSON string, and no score', async () => {
    const answer = await post(randomUUID(), {
      headers: from(ADDRESSES.home),
      body: ordinaryBody({}, AUTOMATED),
    })
    expect([answer.status, answer.text.trimEnd()]).toEqual([200, '"91.0.0.1"'])
    expect(answer.headers['content-type']).toMatch(/^application\/json/)
    expect(answer.headers['access-control-allow-origin']).toBe('*')
  })

  test('is an IPv6 address as it is, and IPv4-mapped IPv6 as IPv4', async () => {
    expect((await post(randomUUID(), { headers: from('2003::1') })).json()).toBe('2003::1')
    expect((await post(randomUUID(), { headers: from('::FFFF:91.0.0.1') })).json()).toBe('91.0.0.1')
  })
})

describe('4.6 the body', () => {
  test.each([
    ['application/json', 'application/json'],
    ['text/plain, as a beacon sends it', 'text/plain;charset=UTF-8'],
    ['application/octet-stream', 'application/octet-stream'],
    ['a type that nobody knows', 'x/y'],
    ['multipart', 'multipart/form-data; boundary=x'],
    ['a broken type', '///'],
  ])('is read with any Content-Type: %s', async (_name, type) => {
    const requestId = randomUUID()
    expect((await post(requestId, { headers: { 'content-type': type } })).status).toBe(200)
    expect((await rowOf(server, requestId)).browser).toBe('Chrome')
  })

  test('may be encrypted with AES-256-GCM for the key in the agent script', async () => {
    const requestId = randomUUID()
    const key = await serverKey(server)
    const body = encryptBody(key, ordinaryBody({ user_hid: 'sealed ≠' }), requestId)
    expect((await post(requestId, { body })).status).toBe(200)
    expect((await rowOf(server, requestId)).user_hid).toBe('sealed ≠')
  })

  test('S10.3 an encrypted body is valid for its request ID alone; a plain one can be sent with another ID', async () => {
    const requestId = randomUUID()
    const sealed = encryptBody(await serverKey(server), ordinaryBody(), requestId)
    expect((await post(randomUUID(), { body: sealed })).status).toBe(400)
    expect((await post(requestId.toUpperCase(), { body: sealed })).status).toBe(200)
    const plain = ordinaryBody({ user_hid: 'captured' })
    for (const id of [randomUUID(), randomUUID()]) {
      expect((await post(id, { body: plain })).status).toBe(200)
      expect((await rowOf(server, id)).user_hid).toBe('captured')
    }
  })

  test('unknown fields are accepted and ignored; fields of another type count as missing', async () => {
    const requestId = randomUUID()
    const body = ordinaryBody({ future: { deep: [1] }, landing: 'x', version: 'new', agent_version: 7 })
    expect((await post(requestId, { body })).status).toBe(200)
    expect((await rowOf(server, requestId)).score).toBe(0)
    const bare = randomUUID()
    expect((await post(bare, { body: '{"user_hid":7,"readings":[]}' })).status).toBe(200)
    expect((await rowOf(server, bare)).user_hid).toBe('fail')
  })

  test('is accepted up to 512 KB, and not a byte more', async () => {
    const filled = (bytes: number) => `{"a":"${'x'.repeat(bytes - 8)}"}`
    expect((await post(randomUUID(), { body: filled(512 * 1024) })).status).toBe(200)
    expect((await post(randomUUID(), { body: filled(512 * 1024 + 1) })).status).toBe(413)
  })
})

describe('S10.2 errors store no row and give their reason as JSON', () => {
  test.each([
    ['an unknown key', 401, { query: `?publicKey=${'0'.repeat(32)}` }],
    ['no key', 401, { query: '' }],
    ['an empty key', 401, { query: '?publicKey=' }],
    ['the key under another name', 401, { query: '?public_key=x' }],
    ['a foreign origin', 401, { headers: { origin: 'https://evil.example' } }],
    ['a malformed request ID', 400, { id: 'not-a-uuid' }],
    ['a request ID with braces', 400, { id: `%7B${randomUUID()}%7D` }],
    ['a request ID with more after it', 400, { id: `${randomUUID()}/x` }],
    ['a request ID that cannot be decoded', 400, { id: '%zz' }],
    ['the nil request ID', 400, { id: '00000000-0000-0000-0000-000000000000' }],
    ['an empty body', 400, { body: '' }],
    ['broken JSON', 400, { body: '{"a":' }],
    ['JSON that is an array', 400, { body: '[1]' }],
    ['JSON that is a string', 400, { body: '"x"' }],
    ['JSON that is null', 400, { body: 'null' }],
    ['ciphertext that does not open', 400, { body: Buffer.alloc(300, 1) }],
    ['ciphertext cut short', 400, { body: Buffer.from([1, 4]) }],
    ['a body over 512 KB', 413, { body: `{"a":"${'x'.repeat(513 * 1024)}"}` }],
  ] as const)(
    '%s: %i',
    async (_name, status, bad: { id?: string } & Partial<RawRequest> & { query?: string }) => {
      const before = await total()
      const answer = await post(bad.id ?? randomUUID(), bad)
      expect(answer.status).toBe(status)
      expect(answer.json()).toEqual({ error: expect.any(String) })
      expect(answer.headers['access-control-allow-origin']).toBe('*')
      expect(await total()).toBe(before)
    },
  )

  test('a body over 512 KB without a Content-Length is rejected, too', async () => {
    const chunk = new Uint8Array(64 * 1024).fill(32)
    let sent = 0
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += chunk.length
        if (sent > 1024 * 1024) controller.close()
        else controller.enqueue(chunk)
      },
    })
    const answer = await fetch(`${server.url}/snapshot/${randomUUID()}?publicKey=${server.keys.public_key}`, {
      method: 'POST',
      headers: { origin: 'https://shop.example' },
      body,
      duplex: 'half',
    } as RequestInit)
    expect(answer.status).toBe(413)
  })
})

describe('S10.1 the request host is the Origin header’s host, else Referer’s', () => {
  test.each([
    ['the domain', { origin: 'https://shop.example' }, 'shop.example'],
    ['http and a port', { origin: 'http://shop.example:8080' }, 'shop.example'],
    ['a subdomain', { origin: 'https://a.b.shop.example' }, 'a.b.shop.example'],
    ['upper case', { origin: 'https://SHOP.example' }, 'shop.example'],
    ['the referrer without an origin', { referer: 'https://www.shop.example/page?x=1' }, 'www.shop.example'],
    [
      'the referrer beside the origin null',
      { origin: 'null', referer: 'https://shop.example/' },
      'shop.example',
    ],
    [
      'the origin before the referrer',
      { origin: 'https://a.shop.example', referer: 'https://b.shop.example/' },
      'a.shop.example',
    ],
    [
      'a foreign origin before an own referrer',
      { origin: 'https://evil.example', referer: 'https://shop.example/' },
      undefined,
    ],
    ['a domain that only ends alike', { origin: 'https://evilshop.example' }, undefined],
    ['a domain of which this is a part', { origin: 'https://shop.example.evil.example' }, undefined],
    ['user info that looks like it', { origin: 'https://shop.example@evil.example' }, undefined],
    ['another domain of the same server', { origin: 'https://other.example' }, undefined],
    ['none at all', {}, undefined],
    ['null alone', { origin: 'null' }, undefined],
    ['garbage', { origin: 'shop.example' }, undefined],
  ])('%s', async (_name, headers: Record<string, string>, host) => {
    const requestId = randomUUID()
    const answer = await rawRequest(server, {
      method: 'POST',
      path: `/snapshot/${requestId}?publicKey=${server.keys.public_key}`,
      headers,
      body: ordinaryBody(),
    })
    expect(answer.status).toBe(host === undefined ? 401 : 200)
    const { data } = await historyPage(server, `request_id/${requestId}`)
    expect(data.map(({ domain }) => domain)).toEqual(host === undefined ? [] : [host])
  })
})

describe('S10.2 a request ID that was used before', () => {
  test('answers 200 as usual and changes nothing, in upper or lower case', async () => {
    const requestId = randomUUID()
    await identify(server, requestId, ordinaryBody({ user_hid: 'first' }), from(ADDRESSES.home))
    const before = (await rowOf(server, requestId)).ver
    const again = await post(requestId.toUpperCase(), {
      body: ordinaryBody({ user_hid: 'second' }, AUTOMATED),
    })
    expect(again.status).toBe(200)
    expect(await rowOf(server, requestId)).toMatchObject({ user_hid: 'first', score: 0, ver: before })
  })

  test('also on another domain', async () => {
    const requestId = randomUUID()
    await identify(server, requestId, ordinaryBody({ user_hid: 'first' }))
    const taken = await postSnapshot(other, requestId, ordinaryBody({ user_hid: 'second' }))
    expect(taken.status).toBe(200)
    expect((await rowOf(server, requestId)).user_hid).toBe('first')
    expect((await historyPage(other, `request_id/${requestId}`)).total).toBe(0)
  })

  test('sent many times at once leaves one row', async () => {
    const requestId = randomUUID()
    const before = await total()
    await Promise.all(Array.from({ length: 20 }, () => identify(server, requestId, ordinaryBody())))
    expect(await total()).toBe(before + 1)
  })
})

describe('4.6 S9 query parameters', () => {
  test.each([
    (key: string) => `?publicKey=${key}&retry=1`,
    (key: string) => `?retry=1&publicKey=${key}`,
    (key: string) => `?x=a?b&publicKey=${key}`,
    (key: string) => `?publicKey=${key}&publicKey=other`,
    (key: string) => `?&&publicKey=${key}&%zz`,
  ])('unknown ones are ignored, of repeated ones the first counts: %s', async (query) => {
    expect((await post(randomUUID(), { query: query(server.keys.public_key) })).status).toBe(200)
  })
})

describe('S10.9 the client address', () => {
  let behindProxies: typeof server
  beforeAll(async () => {
    behindProxies = await startTestServer({ settings: { TRUST_PROXY: '127.0.0.0/8, 10.0.0.0/8,::1' } })
  })
  afterAll(() => behindProxies.close())

  test.each([
    ['the right-most address that is no trusted proxy', '198.51.100.1, 203.0.113.9', '203.0.113.9'],
    ['trusted hops are passed over', '203.0.113.9, 10.1.2.3, 10.9.9.9', '203.0.113.9'],
    ['blanks do not matter', '  203.0.113.9  ,10.1.2.3 ', '203.0.113.9'],
    ['IPv6', '2003::1, 10.0.0.1', '2003::1'],
    ['a forged left part does not count', '1.2.3.4, garbage, 203.0.113.9', '203.0.113.9'],
    ['garbage on the right: the nearest known', '203.0.113.9, garbage', '127.0.0.1'],
    ['only proxies: the left-most of them', '10.0.0.1, 10.0.0.2', '10.0.0.1'],
    ['empty', '', '127.0.0.1'],
  ])('%s', async (_name, header, expected) => {
    const answer = await postSnapshot(behindProxies, randomUUID(), '{}', { 'x-forwarded-for': header })
    expect(await answer.json()).toBe(expected)
  })

  test('several header lines are one list', async () => {
    const answer = await rawRequest(server, {
      method: 'POST',
      path: `/snapshot/${randomUUID()}?publicKey=${server.keys.public_key}`,
      headers: { origin: 'https://shop.example', 'x-forwarded-for': ['203.0.113.1', '203.0.113.2'] },
      body: '{}',
    })
    expect(answer.json()).toBe('203.0.113.2')
  })

  test.each([{}, { TRUST_PROXY: '192.0.2.1' }])(
    'from anyone else the header is ignored (%o)',
    async (settings) => {
      const own = await runningServer({ settings })
      for (const header of [
        'x-forwarded-for',
        'forwarded',
        'x-real-ip',
        'cf-connecting-ip',
        'true-client-ip',
      ]) {
        const answer = await postSnapshot(own, randomUUID(), '{}', { [header]: '203.0.113.9' })
        expect(await answer.json()).toBe('127.0.0.1')
      }
    },
  )
})

describe('S9 the noscript beacon', () => {
  const beacon = (headers: Record<string, string>, method = 'GET') =>
    rawRequest(server, { method, path: `/noscript?publicKey=${server.keys.public_key}`, headers })

  test('answers a 1×1 image and records the single signal javascript_disabled', async () => {
    const before = await total()
    const answer = await beacon({
      referer: 'https://www.shop.example/?utm_source=News#x',
      ...from(ADDRESSES.hosting),
    })
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'image/gif'])
    expect(answer.body.subarray(0, 6).toString()).toBe('GIF89a')
    expect([answer.body.readUInt16LE(6), answer.body.readUInt16LE(8)]).toEqual([1, 1])
    expect(answer.headers['cache-control']).toContain('no-store')
    expect(await total()).toBe(before + 1)
    const { data } = await historyPage(server, 'latest/all?limit=1')
    expect(data[0]).toMatchObject({
      user_hid: 'unknown',
      domain: 'www.shop.example',
      score: 90,
      is_js_disabled: true,
      is_datacenter: false,
      ip: ADDRESSES.hosting,
      entry_url: 'https://www.shop.example/?utm_source=News',
      utm_source: 'news',
    })
    expect(JSON.parse(data[0]?.score_details ?? '')).toHaveLength(1)
  })

  test('without the page’s origin or with a foreign one it is 401 and stores no row', async () => {
    const before = await total()
    expect((await beacon({ referer: 'https://evil.example/' })).status).toBe(401)
    expect((await beacon({})).status).toBe(401)
    expect(await total()).toBe(before)
  })

  test('S10.7 HEAD behaves as GET without a body, other methods are the plain 404', async () => {
    const head = await beacon({ referer: 'https://shop.example/' }, 'HEAD')
    expect([head.status, head.headers['content-type'], head.body.length]).toEqual([200, 'image/gif', 0])
    for (const method of ['POST', 'PUT', 'DELETE'])
      expect(shapeOf(await beacon({ referer: 'https://shop.example/' }, method))).toEqual(PLAIN_404)
  })
})

describe('4.6 paths and methods', () => {
  test.each(['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE'])(
    'S10.7 %s /snapshot/… is the plain 404',
    async (method) => {
      const answer = await rawRequest(server, { method, path: `/snapshot/${randomUUID()}?publicKey=x` })
      expect([answer.status, answer.headers['content-type']]).toEqual([404, PLAIN_404.type])
      if (method !== 'HEAD') expect(answer.text).toBe(PLAIN_404.text)
    },
  )

  test.each(['/snapshot', '/snapshots/x', '/Snapshot/x', '/score', '/verify', '/api/v1/verify', '/v1/score'])(
    'no synchronous score endpoint exists: POST %s is the plain 404',
    async (path) => {
      const answer = await rawRequest(server, { method: 'POST', path, body: '{}' })
      expect(shapeOf(answer)).toEqual(PLAIN_404)
    },
  )

  test('answers the preflight request of a page of any origin', async () => {
    const answer = await rawRequest(server, {
      method: 'OPTIONS',
      path: `/snapshot/${randomUUID()}?publicKey=x`,
      headers: { origin: 'https://shop.example', 'access-control-request-method': 'POST' },
    })
    expect([answer.status, answer.body.length]).toEqual([204, 0])
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'content-type',
    })
  })
})

describe('4.6 S9 the agent script', () => {
  const get = (path: string) => rawRequest(server, { path })
  const moduleOf = (loader: string): string => /from"\.([^"]+)"/.exec(loader)?.[1] ?? ''

  test.each(['/agent.js', '/snippet.js'])(
    '%s is an ES module that pages of any origin may load',
    async (path) => {
      const { keys } = server
      const answer = await get(`${path}?publicKey=${keys.public_key}&retry=1`)
      expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8'])
      expect(answer.headers).toMatchObject({
        'access-control-allow-origin': '*',
        'cross-origin-resource-policy': 'cross-origin',
      })
      const module = await get(moduleOf(answer.text))
      expect(module.headers).toMatchObject({
        'content-type': 'text/javascript; charset=utf-8',
        'access-control-allow-origin': '*',
        'cache-control': 'public, max-age=31536000, immutable',
      })
      expect(answer.text).toContain(keys.public_key)
      expect(module.text).toContain(`http://localhost:${server.port}`)
      for (const secret of [keys.secret_key, keys.api_key, other.keys.public_key])
        expect(answer.text + module.text).not.toContain(secret)
      for (const name of [
        'checkAnonymous',
        'checkAuthenticatedUser',
        'forceCheckAnonymous',
        'forceCheckAuthenticatedUser',
        'default',
      ])
        expect(answer.text).toContain(name)
      expect(module.text).not.toMatch(/\beval\(|new Function\(/)
    },
  )

  test('a key of another form is not echoed into the script', async () => {
    for (const key of ['%22;alert(1)//', '', 'a'.repeat(31), 'A'.repeat(32)])
      expect((await get(`/agent.js?publicKey=${key}`)).text).not.toContain('publicKey')
    expect((await get('/agent.js')).text).not.toContain('publicKey')
  })

  test('of repeated parameters the first counts', async () => {
    const { text } = await get(`/agent.js?publicKey=${server.keys.public_key}&publicKey=${'0'.repeat(32)}`)
    expect(moduleOf(text)).toMatch(new RegExp(`\\?publicKey=${server.keys.public_key}$`))
  })

  test('the module is the same for every key; under an older name it is served uncached', async () => {
    const path = moduleOf((await get(`/agent.js?publicKey=${server.keys.public_key}`)).text)
    const [plain] = path.split('?')
    const { text } = await get(path)
    expect((await get(plain ?? '')).text).toBe(text)
    const older = await get('/agent/AAAAAAAAAAAAAAAAAAAAAA.js')
    expect([older.text === text, older.headers['cache-control']]).toEqual([true, 'no-store'])
  })

  test('S10.7 HEAD is GET without a body; other methods are the plain 404', async () => {
    const head = await rawRequest(server, { path: '/agent.js', method: 'HEAD' })
    expect([head.status, head.body.length]).toEqual([200, 0])
    expect(shapeOf(await rawRequest(server, { path: '/agent.js', method: 'POST' }))).toEqual(PLAIN_404)
  })
})
