import { randomUUID } from 'node:crypto'
import { LegacySnapshot, OlderHistoryPage, OlderHistoryRow, SEARCH_TYPES } from '@inkling/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { rotateKey } from '../rotate-key.ts'
import { runningServer, startTestServer } from '../running-server.ts'
import { webhookReceiver } from '../webhook-receiver.ts'
import { AUTOMATED, ordinaryBody, uniqueDevice } from './bodies.ts'
import { as, identify, management, rowOf } from './callers.ts'
import { addWebhook, listWebhooks } from './endpoints.ts'
import { operate, soon, storeRows } from './operator.ts'
import { PLAIN_404, rawRequest, shapeOf } from './raw-request.ts'
import { ADDRESSES, from, ROOMY_SETTINGS } from './roomy-settings.ts'

const MANY = Array.from({ length: 130 }, () => randomUUID())

let server: Awaited<ReturnType<typeof startTestServer>>
let pages: typeof server
beforeAll(async () => {
  server = await startTestServer({ settings: ROOMY_SETTINGS, otherDomains: ['pages.example'] })
  const [keys] = server.others
  if (!keys) throw new Error('no other domain')
  pages = as(server, keys)
  const rows = MANY.map((requestId, index) => ({
    requestId,
    host: 'pages.example',
    user_hid: 'u',
    created_at: 1.9e12 - index * 1_000,
  }))
  await storeRows(pages, rows)
})
afterAll(() => server.close())

type Target = typeof server

const pub = (path: string, target: Pick<Target, 'port' | 'keys'> = server, method = 'GET') =>
  rawRequest(target, { method, path: `/pub/${target.keys.public_key}/${target.keys.secret_key}/${path}` })

const older = (path: string, target: Pick<Target, 'port' | 'keys'> = server, body?: string) =>
  rawRequest(target, {
    method: body === undefined ? 'GET' : 'POST',
    path: `/${target.keys.domain}:${target.keys.secret_key}/${path}`,
    headers: { 'content-type': 'text/plain' },
    ...(body !== undefined && { body }),
  })

async function recorded(body: string, headers: Record<string, string> = {}) {
  const requestId = randomUUID()
  await identify(server, requestId, body, headers)
  return rowOf(server, requestId)
}

const EXPECTED_FIELDS = [
  ...[
    'request_id',
    'device_id',
    'visitor_id',
    'user_hid',
    'ip',
    'os',
    'country',
    'score',
    'details',
    'created_at',
  ],
]

describe('4.7 GET /pub/…/history/{search_type}/{value}', () => {
  const page = async (path: string, target = server) => {
    const answer = await pub(`history/${path}`, target)
    expect(answer.status).toBe(200)
    return OlderHistoryPage.strict().parse(answer.json())
  }

  test('answers total and data with rows of exactly the ten fields; details equals the parsed score_details', async () => {
    const row = await recorded(ordinaryBody({}, AUTOMATED), from(ADDRESSES.hosting))
    const { total, data } = await page(`request_id/${row.request_id}`)
    expect(total).toBe(1)
    expect(Object.keys(data[0] ?? {}).toSorted()).toEqual(EXPECTED_FIELDS.toSorted())
    expect(data[0]).toEqual({
      request_id: row.request_id,
      device_id: row.device_id,
      visitor_id: row.visitor_id,
      user_hid: row.user_hid,
      ip: row.ip,
      os: row.os,
      country: row.country,
      score: row.score,
      details: JSON.parse(row.score_details),
      created_at: row.created_at,
    })
  })

  test('details of a row without entries is an empty array', async () => {
    const row = await recorded(ordinaryBody())
    expect((await page(`request_id/${row.request_id}`)).data[0]?.details).toEqual([])
  })

  test.each(SEARCH_TYPES)('%s finds the rows that have the value', async (type) => {
    const address = `198.51.100.${SEARCH_TYPES.indexOf(type) + 1}`
    const row = await recorded(ordinaryBody({ user_hid: randomUUID() }, uniqueDevice()), from(address))
    expect((await page(`${type}/${row[type]}`)).data.map(({ request_id }) => request_id)).toEqual([
      row.request_id,
    ])
  })

  test.each([
    ['', 0, 20],
    ['limit=1', 0, 1],
    ['limit=100', 0, 100],
    ['limit=101', 0, 20],
    ['limit=0', 0, 20],
    ['limit=x', 0, 20],
    ['offset=125', 125, 130],
    ['offset=-1', 0, 20],
    ['limit=3&offset=2', 2, 5],
  ])('limit 1-100, default 20, offset default 0: ?%s', async (query, first, end) => {
    const { total, data } = await page(`user_hid/u?${query}`, pages)
    expect(total).toBe(130)
    expect(data.map(({ request_id }) => request_id)).toEqual(MANY.slice(first, end))
  })

  test('S10.14 answers 200 with an empty page when nothing matches', async () => {
    expect(await page('user_hid/nobody')).toEqual({ total: 0, data: [] })
  })

  test('includes subdomains, never another domain', async () => {
    const row = await recorded(ordinaryBody(), { origin: 'https://a.shop.example' })
    expect((await page(`request_id/${row.request_id}`)).total).toBe(1)
    expect((await page(`request_id/${row.request_id}`, pages)).total).toBe(0)
  })
})

describe('4.7 GET /pub/…/debug/{search_type}/{value}', () => {
  test('answers the last snapshots as a JSON array of PascalCase objects, 20 at the most', async () => {
    const answer = await pub('debug/user_hid/u', pages)
    const snapshots = LegacySnapshot.strict().array().parse(answer.json())
    expect(snapshots.map(({ RequestID }) => RequestID)).toEqual(MANY.slice(0, 20))
  })

  test('S10.14 answers 404 with an error object when nothing matches', async () => {
    const answer = await pub('debug/user_hid/nobody')
    expect([answer.status, answer.json()]).toEqual([404, { error: expect.any(String) }])
  })
})

describe('4.7 GET /pub/…/request/{request_id}', () => {
  test('S10.14 answers one object of the /history row shape', async () => {
    const row = await recorded(ordinaryBody({}, AUTOMATED))
    const answer = await pub(`request/${row.request_id}`)
    expect(answer.status).toBe(200)
    expect(OlderHistoryRow.strict().parse(answer.json())).toMatchObject({
      request_id: row.request_id,
      score: 60,
    })
    expect(Object.keys(answer.json() as object).toSorted()).toEqual(EXPECTED_FIELDS.toSorted())
  })

  test('S10.14 answers 404 with an error object when nothing matches, other domains’ rows included', async () => {
    for (const id of [randomUUID(), MANY[0]]) {
      const answer = await pub(`request/${id}`)
      expect([answer.status, answer.json()]).toEqual([404, { error: expect.any(String) }])
    }
  })
})

describe('4.7 7 errors of the /pub/ forms', () => {
  test('401 with an error object for invalid keys: both must be of the one domain', async () => {
    const { public_key, secret_key, api_key } = server.keys
    for (const credentials of [
      `${'0'.repeat(32)}/${secret_key}`,
      `${public_key}/${'0'.repeat(32)}`,
      `${public_key}/${pages.keys.secret_key}`,
      `${secret_key}/${public_key}`,
      `${public_key}/${api_key}`,
      'x/y',
    ])
      for (const path of ['history/user_hid/u', 'debug/user_hid/u', `request/${randomUUID()}`]) {
        const answer = await rawRequest(server, { path: `/pub/${credentials}/${path}` })
        expect([answer.status, answer.json()]).toEqual([401, { error: expect.any(String) }])
      }
  })

  test.each(['history/device_id/abc', 'debug/device_id/abc', 'request/abc'])(
    'S10.14 a malformed UUID is the History 500: %s',
    async (path) => {
      const answer = await pub(path)
      expect([answer.status, answer.json()]).toEqual([
        500,
        { error: "code: 53, message: Cannot convert string 'abc' to type UUID" },
      ])
    },
  )

  test.each([
    '',
    'history',
    'history/user_hid',
    'history/user_hid/',
    'history/user_hid/a/b',
    'request',
    'request/',
    'request/a/b',
    'other/user_hid/a',
  ])('an unmatched path is the plain 404: %s', async (path) => {
    expect(shapeOf(await pub(path))).toEqual(PLAIN_404)
  })

  test('S10.7 another method is the plain 404, HEAD is GET without a body', async () => {
    expect(shapeOf(await pub('history/user_hid/u', pages, 'POST'))).toEqual(PLAIN_404)
    const head = await pub('history/user_hid/u', pages, 'HEAD')
    expect([head.status, head.text]).toEqual([200, ''])
  })

  test('S10.14 they share the limit of History: 429 with an error object', async () => {
    const own = await runningServer({ settings: { HISTORY_LIMIT_PER_SECOND: '1' } })
    const statuses = await Promise.all([1, 2, 3].map(() => pub('history/user_hid/u', own)))
    expect(statuses.map(({ status }) => status).toSorted()).toEqual([200, 429, 429])
    expect(statuses.find(({ status }) => status === 429)?.json()).toEqual({ error: 'too many requests' })
  })
})

describe('4.7 GET /{domain}:{secret}/profile and /history', () => {
  test('the profile is that of /v1/profile', async () => {
    const answer = await older('profile')
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
    expect(answer.json()).toEqual((await management(server, '/v1/profile')).json())
  })

  test('the history is a search as in 4.3', async () => {
    const answer = await older('history/user_hid/u?limit=3', pages)
    expect(answer.status).toBe(200)
    const snapshots = LegacySnapshot.array().parse(answer.json())
    expect(snapshots.map(({ RequestID }) => RequestID)).toEqual(MANY.slice(0, 3))
    expect((await older('history/user_hid/%C3%BC')).status).toBe(200)
  })

  test.each(['50%', '%zz', '%FF'])('S10.6 a broken escape is compared as it is: %s', async (value) => {
    const row = await recorded(ordinaryBody({ user_hid: value }, uniqueDevice()))
    const answer = await older(`history/user_hid/${value}?limit=1`)
    expect(answer.status).toBe(200)
    expect(LegacySnapshot.array().parse(answer.json())).toMatchObject([{ RequestID: row.request_id }])
  })

  test('wrong credentials are 401', async () => {
    for (const credentials of [
      `shop.example:${'0'.repeat(32)}`,
      `pages.example:${server.keys.secret_key}`,
      `nowhere.example:${server.keys.secret_key}`,
      `Shop.example:${server.keys.secret_key}`,
    ])
      for (const path of ['profile', 'history/user_hid/u']) {
        const answer = await rawRequest(server, { path: `/${credentials}/${path}` })
        expect(answer.status).toBe(401)
      }
  })

  test('without a colon it is the plain 404', async () => {
    expect(shapeOf(await rawRequest(server, { path: '/shop.example/profile' }))).toEqual(PLAIN_404)
  })
})

describe('4.7 S10.13 POST /{domain}:{secret}/callback', () => {
  test('creates the one callback endpoint, enabled and with its own secret, and the profile shows it', async () => {
    const own = await runningServer({ settings: ROOMY_SETTINGS })
    const receiver = await webhookReceiver()
    const added = await addWebhook(own, receiver.url)
    const answer = await older('callback', own, receiver.url)
    expect([answer.status, answer.json()]).toEqual([200, { callback: receiver.url }])
    const rows = await listWebhooks(own)
    expect(rows.map(({ url, enabled, is_callback }) => [url, enabled, is_callback])).toEqual([
      [receiver.url, 1, 0],
      [receiver.url, 1, 1],
    ])
    expect(rows[1]?.id).not.toBe(added.id)
    expect((await management(own, '/v1/profile')).json()).toMatchObject({ Callback: receiver.url })

    await identify(own, randomUUID(), ordinaryBody())
    const signatures = (await receiver.count(2)).map(({ headers }) => headers['x-svc-signature'])
    expect(new Set(signatures).size).toBe(2)
  })

  test('replaces an existing one and enables it', async () => {
    const own = await runningServer({ settings: ROOMY_SETTINGS })
    await older('callback', own, 'https://one.example/hook')
    await older('callback', own, 'https://two.example/hook?a=b&c')
    const rows = await listWebhooks(own)
    expect(rows.map(({ url, enabled }) => [url, enabled])).toEqual([['https://two.example/hook?a=b&c', 1]])
    expect((await management(own, '/v1/profile')).text).toContain('two.example')
  })

  test('takes effect at once', async () => {
    const own = await runningServer({ settings: ROOMY_SETTINGS })
    const receiver = await webhookReceiver()
    await older('callback', own, receiver.url)
    const requestId = randomUUID()
    await identify(own, requestId, ordinaryBody())
    expect((await receiver.count(1))[0]?.body.toString()).toContain(requestId)
  })

  test('blanks around the URL are ignored', async () => {
    const own = await runningServer({ settings: ROOMY_SETTINGS })
    expect((await older('callback', own, 'https://one.example/hook\n')).json()).toEqual({
      callback: 'https://one.example/hook',
    })
  })

  test.each([
    'http://one.example/hook',
    'ftp://one.example/',
    'one.example',
    '',
    '{"url":"https://a.example"}',
    'https://',
    'https:one.example/hook',
    'https:/one.example/hook',
    'https:///one.example/hook',
    'https:\\\\one.example\\hook',
    'https://one.example/a b',
    'https://one.example/a\nb',
    'https://one.ex\tample/',
    'https://one.example/50%',
    'https://one.example/<b>',
  ])('a URL that is not https is 400 with an error object: %s', async (url) => {
    const own = await runningServer({ settings: { WEBHOOK_ALLOW_PRIVATE: 'false' } })
    const answer = await older('callback', own, url)
    expect([answer.status, answer.json()]).toEqual([400, { error: expect.any(String) }])
    expect(await listWebhooks(own)).toEqual([])
  })

  test('http is accepted only with WEBHOOK_ALLOW_PRIVATE', async () => {
    expect((await older('callback', server, 'http://127.0.0.1:9/hook')).status).toBe(200)
  })

  test('wrong credentials are 401 and change nothing', async () => {
    const before = await listWebhooks(pages)
    const answer = await rawRequest(server, {
      method: 'POST',
      path: `/pages.example:${server.keys.secret_key}/callback`,
      body: 'https://evil.example/hook',
    })
    expect(answer.status).toBe(401)
    expect(await listWebhooks(pages)).toEqual(before)
  })

  test('S10.7 GET is the plain 404', async () => {
    expect(shapeOf(await older('callback'))).toEqual(PLAIN_404)
  })
})

test('4.7 a rotated key applies to every form within a second', async () => {
  const own = await runningServer({ settings: ROOMY_SETTINGS })
  const secret = await operate(own, ({ store, box, domainId }) => rotateKey(store, box, domainId, 'secret'))
  const rotated = { ...own, keys: { ...own.keys, secret_key: secret } }
  await soon(async () => {
    expect((await older('profile', rotated)).status).toBe(200)
  })
  expect((await older('profile', own)).status).toBe(401)
  expect((await pub('history/user_hid/u', rotated)).status).toBe(200)
  expect((await pub('history/user_hid/u', own)).status).toBe(401)
})
