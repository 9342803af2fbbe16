import { randomUUID } from 'node:crypto'
import { LegacySnapshot, SEARCH_TYPES } from '@inkling/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runningServer, startTestServer } from '../running-server.ts'
import { AUTOMATED, ordinaryBody, uniqueDevice } from './bodies.ts'
import { as, identify, management, rowOf } from './callers.ts'
import { storeRows } from './operator.ts'
import { PLAIN_404, type RawAnswer, rawRequest, shapeOf } from './raw-request.ts'
import { ADDRESSES, from, ROOMY_SETTINGS } from './roomy-settings.ts'

const MANY = Array.from({ length: 120 }, () => randomUUID())
/** The endpoint ends with 2026. */
const BEFORE_SUNSET = Date.UTC(2026, 11, 31, 23, 59, 59, 999)
const SUNSET = Date.UTC(2027, 0, 1)
let clock = Date.UTC(2026, 5, 1, 12, 0, 0, 120)

let server: Awaited<ReturnType<typeof startTestServer>>
let pages: typeof server
beforeAll(async () => {
  server = await startTestServer({
    otherDomains: ['pages.example'],
    settings: ROOMY_SETTINGS,
    now: () => clock,
  })
  const [keys] = server.others
  if (!keys) throw new Error('no other domain')
  pages = as(server, keys)
  await storeRows(
    pages,
    MANY.map((requestId, index) => ({
      requestId,
      host: 'pages.example',
      user_hid: 'u',
      created_at: 2e12 - index,
    })),
  )
})
afterAll(() => server.close())

const announcement = () => ({
  deprecation: 'true',
  sunset: 'Fri, 01 Jan 2027 00:00:00 GMT',
  link: `<http://localhost:${server.port}/api/v1/history>; rel="successor-version"`,
})
const announcementOf = ({ headers }: RawAnswer) => ({
  deprecation: headers.deprecation,
  sunset: headers.sunset,
  link: headers.link,
})

const search = (path: string, target = server, headers: Record<string, string> = {}) =>
  management(target, `/v1/history/${path}`, { headers })

const snapshots = async (path: string, target = server): Promise<LegacySnapshot[]> => {
  const answer = await search(path, target)
  expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json; charset=utf-8'])
  return LegacySnapshot.strict().array().parse(answer.json())
}

async function recorded(body: string, headers: Record<string, string> = {}) {
  const requestId = randomUUID()
  await identify(server, requestId, body, headers)
  return rowOf(server, requestId)
}

describe('4.3 2.7 the answer', () => {
  test('is a bare array of snapshots with PascalCase fields and the row’s values', async () => {
    const row = await recorded(ordinaryBody({ user_hid: 'Zoë' }, AUTOMATED), from(ADDRESSES.hosting))
    const answer = await search(`request_id/${row.request_id}`)
    expect(answer.json()).toEqual([
      {
        RequestID: row.request_id,
        SessionID: row.session_id,
        CookieID: row.cookie_id,
        DeviceID: row.device_id,
        VisitorID: row.visitor_id,
        IP: '5.9.0.1',
        OS: 'Windows',
        Browser: 'Chrome',
        DeviceType: 'desktop',
        Country: 'Germany',
        UserHID: 'Zoë',
        ConnectionType: 'proxy',
        WebRtcConnectionType: '',
        WebRtcCountry: '',
        WebRtcHIP: expect.any(String),
        TcpMss: 0,
        MtuValue: 0,
        MtuHint: '',
        Score: 70,
        Details: [
          { Value: 60, Description: 'Browser Automation' },
          { Value: 10, Description: 'Is datacenter' },
        ],
        LastRequestTime: expect.stringMatching(/^2026-06-01T12:00:00\.120?Z$/),
      },
    ])
  })

  test('2.7 the results of network checks have their fields', async () => {
    const requestId = randomUUID()
    await storeRows(server, [
      {
        requestId,
        host: 'shop.example',
        web_rtc_ip: 0xcb007109,
        webrtc_leak_ip: 0xcb007109,
        web_rtc_country: 'France',
        web_rtc_connection_type: 'srflx',
        tcp_mss: 1_380,
        mtu_value: 1_420,
        mtu_hint: 'vpn_likely',
      },
    ])
    expect((await snapshots(`request_id/${requestId}`))[0]).toMatchObject({
      WebRtcHIP: '203.0.113.9',
      WebRtcCountry: 'France',
      WebRtcConnectionType: 'srflx',
      TcpMss: 1_380,
      MtuValue: 1_420,
      MtuHint: 'vpn_likely',
    })
  })

  test('is an empty array without matches', async () => {
    expect((await search('user_hid/nobody')).text.trimEnd()).toBe('[]')
  })

  test.each(SEARCH_TYPES)('%s finds the rows that have the value', async (type) => {
    const address = `198.51.100.${SEARCH_TYPES.indexOf(type) + 1}`
    const row = await recorded(ordinaryBody({ user_hid: randomUUID() }, uniqueDevice()), from(address))
    expect((await snapshots(`${type}/${row[type]}`)).map(({ RequestID }) => RequestID)).toEqual([
      row.request_id,
    ])
  })

  test('is newest first', async () => {
    expect((await snapshots('user_hid/u?limit=3', pages)).map(({ RequestID }) => RequestID)).toEqual(
      MANY.slice(0, 3),
    )
  })

  test('has only rows whose request host equals X-Svc-Domain, and no subdomains', async () => {
    const user = randomUUID()
    const own = await recorded(ordinaryBody({ user_hid: user }))
    await recorded(ordinaryBody({ user_hid: user }), { origin: 'https://www.shop.example' })
    expect((await snapshots(`user_hid/${user}`)).map(({ RequestID }) => RequestID)).toEqual([own.request_id])
  })

  test('never has another domain’s rows', async () => {
    expect(await snapshots(`request_id/${MANY[0]}`)).toEqual([])
  })
})

describe('4.3 limit', () => {
  test.each([
    ['', 100],
    ['limit=1', 1],
    ['limit=100', 100],
    ['limit=101', 100],
    ['limit=0', 100],
    ['limit=-5', 100],
    ['limit=abc', 100],
    ['limit=', 100],
    ['limit=7&limit=9', 7],
    ['limit=2&offset=50', 2],
  ])('1-100, default 100, any other value becomes 100, no offset: ?%s is %i', async (query, count) => {
    expect((await snapshots(`user_hid/u?${query}`, pages)).map(({ RequestID }) => RequestID)).toEqual(
      MANY.slice(0, count),
    )
  })
})

describe('4.3 S7 errors are bare JSON', () => {
  test.each([
    ['request_id/abc', 400, '"fail parse uuid"'],
    ['device_id/123', 400, '"fail parse uuid"'],
    ['visitor_id/%zz', 400, '"fail parse uuid"'],
    ['session_id/x', 400, '"fail parse uuid"'],
    ['cookie_id/x', 400, '"fail parse uuid"'],
    ['ip/x', 400, '"invalid IP address"'],
    ['ip/1.2.3', 400, '"invalid IP address"'],
    ['ip/1.2.3.256', 400, '"invalid IP address"'],
    ['ip/2003::1', 400, 'null'],
    ['ip/::1', 400, 'null'],
    ['user_hid/%20', 400, '"value cannot be empty"'],
    ['user_hid/%20%09%20', 400, '"value cannot be empty"'],
    ['latest/all', 404, '"latest is not supported"'],
    ['REQUEST_ID/x', 404, '"REQUEST_ID is not supported"'],
  ])('%s: %i %s', async (path, status, body) => {
    const answer = await search(path)
    expect([answer.status, answer.text.trimEnd()]).toEqual([status, body])
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(announcementOf(answer)).toEqual(announcement())
  })

  test('the UUID types accept any version, user_hid accepts any text', async () => {
    for (const version of '0147f') await snapshots(`device_id/00000000-0000-${version}000-0000-000000000001`)
    await snapshots('user_hid/%C3%BC')
    await snapshots('user_hid/abc')
  })
})

describe('4.3 S7 the announcement', () => {
  test.each([
    ['200', 'user_hid/u', {}],
    ['401', 'user_hid/u', { authorization: 'Bearer wrong' }],
    ['401 without headers', 'user_hid/u', { authorization: '', 'x-svc-domain': '' }],
  ])('Deprecation, Sunset and Link are on a %s', async (_name, path, headers) => {
    expect(announcementOf(await search(path, server, headers))).toEqual(announcement())
  })

  test('that day is a Friday', () => {
    const { sunset } = announcement()
    expect(new Date(sunset).toUTCString()).toBe(sunset)
  })

  test.each(['user_hid/', 'user_hid', '', 'user_hid/a/b', 'user_hid/a%2Fb', 'ip/'])(
    'the plain-text 404 of an unmatched route does not carry them: %s',
    async (path) => {
      const answer = await search(path)
      expect(shapeOf(answer)).toEqual(PLAIN_404)
      expect(announcementOf(answer)).toEqual({ deprecation: undefined, sunset: undefined, link: undefined })
    },
  )

  test('is not on a 429', async () => {
    const own = await runningServer({ settings: { MANAGEMENT_LIMIT_PER_MINUTE: '1' } })
    await management(own, '/v1/profile')
    const answer = await management(own, '/v1/history/user_hid/a')
    expect(answer.status).toBe(429)
    expect(announcementOf(answer)).toEqual({ deprecation: undefined, sunset: undefined, link: undefined })
  })

  test('is not on the profile', async () => {
    expect(announcementOf(await management(server, '/v1/profile')).deprecation).toBeUndefined()
  })
})

describe('4.3 the sunset', () => {
  test('works until 2027-01-01 00:00:00 GMT, then answers 410 with the same headers', async () => {
    const usual = clock
    clock = BEFORE_SUNSET
    expect((await search('user_hid/u', pages)).status).toBe(200)
    clock = SUNSET + 1
    const answer = await search('user_hid/u', pages)
    expect(answer.status).toBe(410)
    expect(announcementOf(answer)).toEqual(announcement())
    expect((await management(server, '/v1/profile')).status).toBe(200)
    clock = usual
  })
})

describe('4.3 methods', () => {
  test.each(['POST', 'PUT', 'DELETE', 'OPTIONS'])('S10.7 %s is the plain 404', async (method) => {
    expect(shapeOf(await management(server, '/v1/history/user_hid/a', { method }))).toEqual(PLAIN_404)
  })

  test('S10.7 HEAD behaves as GET without a body', async () => {
    const head = await management(server, '/v1/history/user_hid/u', { method: 'HEAD' })
    expect([head.status, head.text, announcementOf(head)]).toEqual([200, '', announcement()])
    expect((await rawRequest(server, { path: '/v1/history/user_hid/u', method: 'HEAD' })).status).toBe(401)
  })
})
