import { randomUUID } from 'node:crypto'
import { HistoryPage, SEARCH_TYPES } from '@inkling/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer } from '../running-server.ts'
import { ordinaryBody, uniqueDevice } from './bodies.ts'
import { as, history, historyPage, identify, rowOf } from './callers.ts'
import { storeRows } from './operator.ts'
import { PLAIN_404, rawRequest, shapeOf } from './raw-request.ts'
import { ADDRESSES, from, ROOMY_SETTINGS } from './roomy-settings.ts'

/** Newest first, the required order of History. */
const MANY = Array.from({ length: 130 }, () => randomUUID())
const NEWEST_AT = Date.UTC(2026, 3, 1)

let server: Awaited<ReturnType<typeof startTestServer>>
let other: typeof server
let pages: typeof server

beforeAll(async () => {
  server = await startTestServer({
    settings: ROOMY_SETTINGS,
    otherDomains: ['other.example', 'pages.example', 'shop.example.org'],
  })
  const [otherKeys, pagesKeys] = server.others
  if (!otherKeys || !pagesKeys) throw new Error('the domains are missing')
  other = as(server, otherKeys)
  pages = as(server, pagesKeys)
  await storeRows(
    pages,
    MANY.map((requestId, index) => ({
      requestId,
      host: 'pages.example',
      user_hid: index % 2 === 0 ? 'even' : 'odd',
      created_at: NEWEST_AT - index * 1_000,
      ver: NEWEST_AT - index * 1_000,
    })),
  )
})
afterAll(() => server.close())

async function recorded(body: string, headers: Record<string, string> = {}, target = server) {
  const requestId = randomUUID()
  await identify(target, requestId, body, headers)
  return rowOf(target, requestId)
}

const idsOf = async (target: typeof server, path: string): Promise<string[]> =>
  (await historyPage(target, path)).data.map(({ request_id }) => request_id)

const totalOf = async (path: string): Promise<number> => (await historyPage(server, path)).total

describe('4.1 search_type', () => {
  test.each(SEARCH_TYPES)('%s finds exactly the rows that have the value', async (type) => {
    const body = ordinaryBody({ user_hid: `of-${randomUUID()}` }, uniqueDevice())
    const address = `198.51.100.${SEARCH_TYPES.indexOf(type) + 1}`
    const row = await recorded(body, from(address))
    await recorded(ordinaryBody({}, uniqueDevice()), from(ADDRESSES.unknown))
    const page = await historyPage(server, `${type}/${row[type]}`)
    expect([page.total, page.data.map(({ request_id }) => request_id)]).toEqual([1, [row.request_id]])
  })

  test.each(['latest', 'REQUEST_ID', 'request-id', 'user', 'requestid', '%20', 'user_hid%20'])(
    'an unknown one (%s) ignores the filter: the latest of the whole domain, the value unread',
    async (type) => {
      for (const value of ['abc', '999.1.1.1', '%zz'])
        expect(await idsOf(pages, `${type}/${value}`)).toEqual(MANY.slice(0, 20))
      expect((await historyPage(pages, `${type}/abc`)).total).toBe(130)
    },
  )
})

describe('4.1 limit and offset', () => {
  test.each([
    ['', 20],
    ['limit=1', 1],
    ['limit=100', 100],
    ['limit=21', 21],
    ['limit=+5', 20],
    ['limit=%2B5', 5],
    ['limit=05', 5],
    ['limit=%2B05', 5],
    ['limit=0', 20],
    ['limit=-1', 20],
    ['limit=101', 20],
    ['limit=1000000', 20],
    ['limit=99999999999999999999', 20],
    ['limit=', 20],
    ['limit', 20],
    ['limit=abc', 20],
    ['limit=5.0', 20],
    ['limit=5e0', 20],
    ['limit=0x5', 20],
    ['limit=%205', 20],
    ['limit=5%20', 20],
    ['limit=1_0', 20],
    ['limit=%D9%A5', 20],
    ['LIMIT=5', 20],
    ['limit=5&limit=7', 5],
    ['limit=abc&limit=7', 20],
    ['limit[]=5', 20],
    ['limit%5B0%5D=5', 20],
    ['limi%74=5', 5],
    ['retry=1&limit=5&x', 5],
    ['&&limit=5', 5],
    ['limit=%zz', 20],
  ])('limit: any other value is replaced by 20, not clamped: ?%s is %i', async (query, count) => {
    expect(await idsOf(pages, `latest/all?${query}`)).toEqual(MANY.slice(0, count))
  })

  test.each([
    ['offset=0', 0],
    ['offset=1', 1],
    ['offset=110', 110],
    ['offset=%2B3', 3],
    ['offset=003', 3],
    ['offset=-1', 0],
    ['offset=-0', 0],
    ['offset=abc', 0],
    ['offset=', 0],
    ['offset=1.5', 0],
    ['offset=+3', 0],
    ['offset=3&offset=9', 3],
    ['offset=99999999999999999999', 0],
  ])('offset: negative or non-numeric is 0: ?%s is %i', async (query, offset) => {
    expect(await idsOf(pages, `latest/all?${query}`)).toEqual(MANY.slice(offset, offset + 20))
  })

  test.each(['9007199254740992', '9223372036854775807'])(
    'an offset of up to 64 bits is past the end: %s',
    async (offset) => {
      const page = await historyPage(pages, `latest/all?offset=${offset}`)
      expect([page.data, page.total]).toEqual([[], MANY.length])
    },
  )

  test('paging while offset < total sees every row once, and total counts every match', async () => {
    const seen: string[] = []
    let total = Number.POSITIVE_INFINITY
    for (let offset = 0; offset < total; offset += 30) {
      const page = await historyPage(pages, `user_hid/even?limit=30&offset=${offset}`)
      total = page.total
      seen.push(...page.data.map(({ request_id }) => request_id))
    }
    expect(total).toBe(65)
    expect(seen).toEqual(MANY.filter((_, index) => index % 2 === 0))
  })

  test('an offset past the end returns an empty page with the true total', async () => {
    expect(await historyPage(pages, 'latest/all?offset=130')).toEqual({ data: [], total: 130 })
    expect(await historyPage(pages, 'latest/all?offset=9007199254740991')).toEqual({ data: [], total: 130 })
  })
})

describe('4.1 order', () => {
  test('rows are sorted by created_at, newest first, in whatever order they arrived', async () => {
    const user = randomUUID()
    const ids = [randomUUID(), randomUUID(), randomUUID()]
    await storeRows(
      server,
      [2, 3, 1].map((second, index) => ({
        requestId: ids[index] ?? '',
        user_hid: user,
        created_at: Date.UTC(2026, 0, 1, 0, 0, second),
        ver: Date.UTC(2026, 0, 1, 0, 0, 10 - second),
      })),
    )
    expect(await idsOf(server, `user_hid/${user}`)).toEqual([ids[1], ids[0], ids[2]])
  })
})

describe('4.1 whose rows', () => {
  test('the key selects its domain with all subdomains, and never another domain', async () => {
    const user = randomUUID()
    const body = ordinaryBody({ user_hid: user })
    const own = await recorded(body)
    const sub = await recorded(body, { origin: 'https://a.b.shop.example' })
    const foreign = await recorded(body, {}, other)
    const alike = server.others[2]
    if (!alike) throw new Error('the domain is missing')
    const longer = await recorded(body, {}, as(server, alike))

    expect(await idsOf(server, `user_hid/${user}`)).toEqual([sub.request_id, own.request_id])
    for (const type of SEARCH_TYPES) {
      const ids = await idsOf(server, `${type}/${foreign[type]}?limit=100`)
      expect(ids).not.toContain(foreign.request_id)
      expect(ids).not.toContain(longer.request_id)
    }
    expect((await historyPage(server, `request_id/${foreign.request_id}`)).total).toBe(0)
    expect(await idsOf(server, 'latest/all?limit=100')).not.toContain(foreign.request_id)
  })
})

describe('4.1 S8 UUID and address values', () => {
  test.each(['request_id', 'device_id', 'visitor_id', 'session_id', 'cookie_id'] as const)(
    '%s: a malformed UUID is the specified 500',
    async (type) => {
      const answer = await history(server, `${type}/abc`)
      expect(shapeOf(answer)).toEqual({
        status: 500,
        type: 'application/json',
        text: '{"error":"code: 53, message: Cannot convert string \'abc\' to type UUID"}\n',
      })
    },
  )

  test('ip: a malformed address is the specified 500', async () => {
    for (const [value, shown] of [
      ['x', 'x'],
      ['1.2.3', '1.2.3'],
      ['1.2.3.256', '1.2.3.256'],
      ['1.2.3.4.5', '1.2.3.4.5'],
      ['2003::1', '2003::1'],
      ['1.2.3.4:80', '1.2.3.4:80'],
      ['%20', ' '],
    ]) {
      const answer = await history(server, `ip/${value}`)
      expect(shapeOf(answer)).toEqual({
        status: 500,
        type: 'application/json',
        text: `{"error":"code: 6, message: Cannot parse string '${shown}' as IPv4"}\n`,
      })
    }
  })

  test('the value in the message is JSON-escaped and cut at 200 characters', async () => {
    const escaped = await history(server, 'device_id/%22%5C%0A%3Cb%3E')
    expect(escaped.text).toBe(
      '{"error":"code: 53, message: Cannot convert string \'\\"\\\\\\n<b>\' to type UUID"}\n',
    )
    const long = await history(server, `device_id/${'a'.repeat(300)}`)
    expect(long.json()).toEqual({
      error: `code: 53, message: Cannot convert string '${'a'.repeat(200)}' to type UUID`,
    })
    const astral = await history(server, `device_id/${encodeURIComponent(`${'a'.repeat(199)}😀😀`)}`)
    expect(astral.json()).toEqual({
      error: `code: 53, message: Cannot convert string '${'a'.repeat(199)}😀' to type UUID`,
    })
  })

  test.each([
    `${randomUUID()}x`,
    randomUUID().replaceAll('-', ''),
    `%7B${randomUUID()}%7D`,
    `${randomUUID()}%20`,
    '%FF',
    '%zz',
    '.',
    'null',
  ])('no other form of a UUID is accepted: %s', async (value) => {
    expect((await history(server, `session_id/${value}`)).status).toBe(500)
  })

  test('a UUID of any version and case is accepted', async () => {
    const row = await recorded(ordinaryBody())
    expect(await idsOf(server, `request_id/${row.request_id.toUpperCase()}`)).toEqual([row.request_id])
    for (const version of '012345678f')
      expect(await totalOf(`device_id/00000000-0000-${version}000-0000-000000000001`)).toBe(0)
  })

  test('2.2 rows without an IPv4 address cannot be searched by it', async () => {
    const row = await recorded(ordinaryBody(), from(ADDRESSES.ipv6))
    expect(row.ip).toBe('0.0.0.0')
    expect(await historyPage(server, 'ip/0.0.0.0')).toEqual({ data: [], total: 0 })
  })
})

describe('4.1 user_hid values', () => {
  const PLAIN = 'ABCabc019-._~$&+,:;=@'
  test.each([
    ['the characters that stay unescaped', PLAIN, PLAIN],
    ["! ' ( ) * are escaped", "a!b'c(d)e*f", 'a%21b%27c%28d%29e%2Af'],
    ['blanks and % are escaped', '100 % sure', '100%20%25%20sure'],
    ['text outside ASCII is escaped as UTF-8', 'Zoë≠東😀', 'Zo%C3%AB%E2%89%A0%E6%9D%B1%F0%9F%98%80'],
    ['a value that looks escaped', 'a%41b', 'a%2541b'],
    ['? and # are escaped', 'a?b#c', 'a%3Fb%23c'],
    ['" < > [ ] { } | \\ ^ ` are escaped', '"<>[]{}|\\^`', '%22%3C%3E%5B%5D%7B%7D%7C%5C%5E%60'],
    ['a + is a plus', 'a+b', 'a+b'],
    ['a tab and a newline', 'a\tb\n', 'a%09b%0A'],
    ['three dots', '...', '...'],
  ])('%s', async (_name, user, segment) => {
    const row = await recorded(ordinaryBody({ user_hid: user }))
    expect(await idsOf(server, `user_hid/${segment}`)).toEqual([row.request_id])
  })

  test('the value is exact and case-sensitive', async () => {
    const user = `Case-${randomUUID()}`
    await recorded(ordinaryBody({ user_hid: user }))
    expect(await totalOf(`user_hid/${user}`)).toBe(1)
    expect(await totalOf(`user_hid/${user.toLowerCase()}`)).toBe(0)
    expect(await totalOf(`user_hid/${user.slice(0, -1)}`)).toBe(0)
    expect(await totalOf(`user_hid/${user}%20`)).toBe(0)
  })

  test('S10.6 any other escaping is compared as it is and finds only rows with that very text', async () => {
    const mark = randomUUID().slice(0, 8)
    const plain = await recorded(ordinaryBody({ user_hid: `${mark} a+~'` }))
    for (const segment of [
      `${mark}%20a%2B~%27`,
      `${mark}+a+~%27`,
      `${mark}%20a+~'`,
      `${mark}%20a+%7E%27`,
      `${mark}%20%61+~%27`,
    ])
      expect(await totalOf(`user_hid/${segment}`)).toBe(0)
    expect(await idsOf(server, `user_hid/${mark}%20a+~%27`)).toEqual([plain.request_id])

    const literal = await recorded(ordinaryBody({ user_hid: `${mark}%20a%2b` }))
    expect(await idsOf(server, `user_hid/${mark}%20a%2b`)).toEqual([literal.request_id])
    expect(await idsOf(server, `user_hid/${mark}%2520a%252b`)).toEqual([literal.request_id])
  })

  test('lower-case hex is not canonical', async () => {
    const user = `ü-${randomUUID()}`
    const row = await recorded(ordinaryBody({ user_hid: user }))
    expect(await idsOf(server, `user_hid/%C3%BC${user.slice(1)}`)).toEqual([row.request_id])
    expect(await totalOf(`user_hid/%c3%bc${user.slice(1)}`)).toBe(0)
  })

  test.each(['%zz', '%', '%4', 'a%', '%FF', '%C3', '%C3%28', '%ED%A0%80'])(
    'a broken escape (%s) is text like any other',
    async (segment) => {
      const row = await recorded(ordinaryBody({ user_hid: segment }))
      expect(await idsOf(server, `user_hid/${segment}`)).toEqual([row.request_id])
    },
  )

  test('S10.5 a slash, escaped or not, is the plain 404', async () => {
    await recorded(ordinaryBody({ user_hid: 'a/b' }))
    for (const segment of ['a/b', 'a%2Fb', 'a%2fb', '%2F', 'a%2f'])
      expect(shapeOf(await history(server, `user_hid/${segment}`))).toEqual(PLAIN_404)
  })

  test('S10.5 . and .. never return rows', async () => {
    for (const user of ['.', '..', '%2e%2e', '%2E']) await recorded(ordinaryBody({ user_hid: user }))
    for (const segment of ['.', '..'])
      expect(await historyPage(server, `user_hid/${segment}`)).toEqual({ data: [], total: 0 })
    // A dot is canonical unescaped. Its escaped form is a different text, which a row may have.
    expect((await historyPage(server, 'user_hid/%2e%2e')).data[0]?.user_hid).toBe('%2e%2e')
    expect((await historyPage(server, 'user_hid/%2E')).data[0]?.user_hid).toBe('%2E')
  })

  test('the values that name no account are searched like any other', async () => {
    for (const user of ['anonymous', 'fail', '-1', 'unknown', 'null']) {
      const row = await recorded(ordinaryBody({ user_hid: user }))
      expect(await idsOf(server, `user_hid/${user}?limit=1`)).toEqual([row.request_id])
    }
  })
})

describe('4.1 paths', () => {
  const authorized = () => ({ authorization: `Bearer ${server.keys.api_key}` })

  test.each([
    '/api/v1/history',
    '/api/v1/history/',
    '/api/v1/history/user_hid',
    '/api/v1/history/user_hid/',
    '/api/v1/history//x',
    '/api/v1/history/user_hid/a/b',
    '/api/v1/history/user_hid/a/',
    '/api/v1/history/user_hid/?limit=1',
    '/api/api/v1/history/user_hid/a',
    '/api/v2/history/user_hid/a',
    '/v2/history/user_hid/a',
    '/API/v1/history/user_hid/a',
    '//api/v1/history/user_hid/a',
    '/history/user_hid/a',
  ])('%s matches no route', async (path) => {
    expect(shapeOf(await rawRequest(server, { path, headers: authorized() }))).toEqual(PLAIN_404)
  })

  test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('S10.7 %s is the plain 404', async (method) => {
    for (const request of [
      { method },
      { method, body: '{"broken":', headers: { 'content-type': 'application/json' } },
    ])
      expect(shapeOf(await history(server, 'user_hid/a', request))).toEqual(PLAIN_404)
  })

  test('S10.7 HEAD behaves as GET without a body', async () => {
    const got = await history(pages, 'latest/all?limit=2')
    const head = await history(pages, 'latest/all?limit=2', { method: 'HEAD' })
    expect([head.status, head.headers['content-type'], head.text]).toEqual([200, 'application/json', ''])
    expect(head.headers['content-length']).toBe(got.headers['content-length'])
    expect((await history(server, 'device_id/abc', { method: 'HEAD' })).status).toBe(500)
    expect((await rawRequest(server, { path: '/api/v1/history/a/b', method: 'HEAD' })).status).toBe(401)
    expect((await rawRequest(server, { path: '/nothing', method: 'HEAD' })).status).toBe(404)
  })

  test('a body on GET is ignored', async () => {
    const answer = await history(pages, 'latest/all?limit=1', {
      body: '{"broken":',
      headers: { 'content-type': 'application/json' },
    })
    expect([answer.status, HistoryPage.parse(answer.json()).total]).toEqual([200, 130])
  })
})

test('1.5 a poll by request_id with limit=1 returns one verdict', async () => {
  const row = await recorded(ordinaryBody())
  expect(await idsOf(server, `request_id/${row.request_id}?limit=1`)).toEqual([row.request_id])
})
