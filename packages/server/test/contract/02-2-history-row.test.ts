import { randomUUID } from 'node:crypto'
import { DETECTION_FLAGS, HistoryPage, NO_FLAGS } from '@inkling/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { flagsToBits } from '../../src/lib/flag-bits.ts'
import { runningServer, startTestServer } from '../running-server.ts'
import { AUTOMATED, ordinaryBody, timedOutBody } from './bodies.ts'
import { createdAtMs, history, historyPage, identify, rowOf } from './callers.ts'
import { storeRows } from './operator.ts'
import { ADDRESSES, from, ROOMY_SETTINGS } from './roomy-settings.ts'

let server: Awaited<ReturnType<typeof startTestServer>>
beforeAll(async () => {
  server = await startTestServer({ settings: ROOMY_SETTINGS })
})
afterAll(() => server.close())

async function recorded(body: string, headers: Record<string, string> = {}) {
  const requestId = randomUUID()
  await identify(server, requestId, body, headers)
  return rowOf(server, requestId)
}

/** The keys of the objects in `data`, in the order sent. */
const keysInOrder = (text: string): string[] =>
  Object.keys(HistoryPage.loose().parse(JSON.parse(text)).data[0] ?? {})

const rawKeys = (text: string): string[] =>
  [...text.matchAll(/[{,]"([a-z_]+)":/g)].map(([, key]) => key ?? '')

const ALWAYS = [
  ['request_id', 'session_id', 'cookie_id', 'domain'],
  ['user_hid', 'device_id', 'visitor_id', 'ip', 'os', 'browser', 'device_type', 'country'],
  ['connection_type', 'score', 'score_details', 'created_at', 'ver'],
  ['web_rtc_ip', 'web_rtc_country', 'web_rtc_connection_type'],
  ['scanner_web_rtc_ip', 'scanner_web_rtc_country', 'scanner_web_rtc_connection_type'],
  ['webrtc_leak_ip', 'webrtc_leak_country', 'webrtc_leak_connection_type', 'webrtc_leak_source'],
  ['tcp_mss', 'mtu_value', 'mtu_hint'],
  ['is_vpn', 'is_tor', 'is_proxy', 'is_datacenter', 'is_abuser', 'is_privacy_relay', 'is_stun_not_checked'],
  ['check_incomplete', 'is_antidetect', 'is_os_mismatch', 'is_os_not_detected', 'is_timezone_mismatch'],
  ['is_js_disabled', 'is_browser_automation', 'is_incognito', 'is_search_bot'],
  ['stun_request_seen', 'is_scanner_stun_passed', 'stun_flow_status'],
].flat()
const ATTRIBUTION = [
  ['entry_url', 'utm_source', 'utm_medium', 'utm_campaign', 'utm_content', 'utm_term'],
  ['traffic_channel', 'traffic_channel_group', 'traffic_reason', 'referrer_domain', 'click_id_type'],
].flat()

const ALL_UTM = 'utm_source=s&utm_medium=m&utm_campaign=c&utm_content=n&utm_term=t'

describe('S1 keys of a row', () => {
  test('all are present and in order; those that are omitted when empty are absent', async () => {
    const row = await recorded(JSON.stringify({}))
    const { text } = await history(server, `request_id/${row.request_id}`)
    // Without a landing page the source is unknown.
    const known = ['traffic_channel', 'traffic_channel_group', 'traffic_reason']
    expect(rawKeys(text)).toEqual(['data', ...ALWAYS, ...known, 'total'])
  })

  test('site_domain follows domain; keys that are omitted when empty come last, in their order', async () => {
    const requestId = randomUUID()
    const url = `https://shop.example/?gclid=x&${ALL_UTM}`
    await identify(server, requestId, ordinaryBody({ landing: { url, referrer: 'https://news.example/' } }), {
      origin: 'https://www.shop.example',
    })
    const { text } = await history(server, `request_id/${requestId}`)
    const [first, ...rest] = [ALWAYS.slice(0, 4), ALWAYS.slice(4)]
    expect(keysInOrder(text)).toEqual([...(first ?? []), 'site_domain', ...rest.flat(), ...ATTRIBUTION])
  })

  test('S10.8 rows have no other keys', async () => {
    for (const row of (await historyPage(server, 'latest/all?limit=100')).data)
      for (const key of Object.keys(row))
        expect([...ALWAYS, ...ATTRIBUTION, 'site_domain', 'is_suspicious_paid_click']).toContain(key)
  })

  test('is_suspicious_paid_click is omitted when false, and true for a paid click of 60 or more', async () => {
    const landing = { url: 'https://shop.example/?gclid=x', referrer: '' }
    expect(await recorded(ordinaryBody({ landing }))).not.toHaveProperty('is_suspicious_paid_click')
    const row = await recorded(ordinaryBody({ landing }, AUTOMATED))
    expect([row.score, row.is_suspicious_paid_click]).toEqual([60, true])
    const { text } = await history(server, `request_id/${row.request_id}`)
    const keys = keysInOrder(text)
    expect(keys[keys.indexOf('is_suspicious_paid_click') - 1]).toBe('is_search_bot')
    expect(keys[keys.indexOf('is_suspicious_paid_click') + 1]).toBe('stun_request_seen')
    expect(await recorded(ordinaryBody({}, AUTOMATED))).not.toHaveProperty('is_suspicious_paid_click')
  })
})

describe('S1 the page', () => {
  test('has data before total and a final newline, and its type is exactly application/json', async () => {
    const answer = await history(server, 'latest/all?limit=1')
    expect(answer.headers['content-type']).toBe('application/json')
    expect(answer.text).toMatch(/^\{"data":\[\{.*\}\],"total":\d+\}\n$/)
  })

  test('without matches has an empty array, never null', async () => {
    expect((await history(server, 'user_hid/nobody')).text).toBe('{"data":[],"total":0}\n')
  })

  test('sends text outside ASCII unescaped', async () => {
    const row = await recorded(
      ordinaryBody({ user_hid: 'Zoë ≠ 東京' }, { timezone: { name: 'Asia/Tokyo', offset_minutes: 540 } }),
      from(ADDRESSES.home),
    )
    const { body } = await history(server, `request_id/${row.request_id}`)
    expect(body.includes(Buffer.from('"user_hid":"Zoë ≠ 東京"'))).toBe(true)
    expect(body.includes(Buffer.from('Browser timezone ≠ IP-timezone'))).toBe(true)
  })

  test('sends & < > unescaped; only events escape them', async () => {
    const row = await recorded(ordinaryBody({ user_hid: 'a&b<c>d' }))
    expect((await history(server, `request_id/${row.request_id}`)).text).toContain('"user_hid":"a&b<c>d"')
  })
})

describe('2.2 fields', () => {
  test('domain is the request host, site_domain the registered domain only when they differ', async () => {
    const own = await recorded(ordinaryBody())
    expect(own.domain).toBe('shop.example')
    expect(own).not.toHaveProperty('site_domain')
    const sub = await recorded(ordinaryBody(), { origin: 'https://Pay.Shop.example:8443' })
    expect([sub.domain, sub.site_domain]).toEqual(['pay.shop.example', 'shop.example'])
  })

  test('ip is dotted IPv4, and 0.0.0.0 when no IPv4 address is known', async () => {
    expect((await recorded(ordinaryBody(), from(ADDRESSES.home))).ip).toBe('91.0.0.1')
    expect((await recorded(ordinaryBody(), from(ADDRESSES.ipv6))).ip).toBe('0.0.0.0')
    expect((await recorded(ordinaryBody(), from('255.255.255.254'))).ip).toBe('255.255.255.254')
  })

  test('S10.9 IPv4-mapped IPv6 is IPv4', async () => {
    expect((await recorded(ordinaryBody(), from('::ffff:91.0.0.1'))).ip).toBe('91.0.0.1')
  })

  test('country is an English country name, or empty when unknown', async () => {
    expect((await recorded(ordinaryBody(), from(ADDRESSES.home))).country).toBe('Germany')
    expect((await recorded(ordinaryBody(), from(ADDRESSES.ipv6))).country).toBe('Germany')
    expect((await recorded(ordinaryBody(), from(ADDRESSES.unknown))).country).toBe('')
  })

  test('connection_type: direct, proxy for hosting networks, unknown without data', async () => {
    expect((await recorded(ordinaryBody(), from(ADDRESSES.home))).connection_type).toBe('direct')
    expect((await recorded(ordinaryBody(), from(ADDRESSES.hosting))).connection_type).toBe('proxy')
    expect((await recorded(ordinaryBody(), from(ADDRESSES.unknown))).connection_type).toBe('unknown')
  })

  test('score is an integer and score_details JSON text, empty when there are no entries', async () => {
    const clean = await recorded(ordinaryBody())
    expect([clean.score, clean.score_details]).toEqual([0, ''])
    const row = await recorded(timedOutBody('x'), { 'user-agent': 'x' })
    expect(row.score).toBe(30)
    expect(row.score_details).toBe(
      '[{"Value":30,"Description":"UA OS is not detected"},{"Value":0,"Description":"Check Incomplete"}]',
    )
  })

  test('the addresses of network checks are 0.0.0.0 and empty when there are none', async () => {
    expect(await recorded(ordinaryBody())).toMatchObject({
      web_rtc_ip: '0.0.0.0',
      web_rtc_country: '',
      web_rtc_connection_type: '',
      scanner_web_rtc_ip: '0.0.0.0',
      webrtc_leak_ip: '0.0.0.0',
      tcp_mss: 0,
      mtu_value: 0,
      mtu_hint: '',
      stun_request_seen: false,
      is_scanner_stun_passed: false,
    })
  })

  test('the results of network checks have their fields', async () => {
    const requestId = randomUUID()
    await storeRows(server, [
      {
        requestId,
        web_rtc_ip: 0xcb007109,
        web_rtc_country: 'France',
        web_rtc_connection_type: 'srflx',
        webrtc_leak_ip: 0xc0a80001,
        webrtc_leak_connection_type: 'host',
        webrtc_leak_source: 'scanner',
        tcp_mss: 1_380,
        mtu_value: 1_420,
        mtu_hint: 'vpn_likely',
        stun_request_seen: 1,
        is_scanner_stun_passed: 1,
        stun_flow_status: 'ok',
      },
    ])
    expect(await rowOf(server, requestId)).toMatchObject({
      web_rtc_ip: '203.0.113.9',
      web_rtc_country: 'France',
      web_rtc_connection_type: 'srflx',
      webrtc_leak_ip: '192.168.0.1',
      webrtc_leak_connection_type: 'host',
      webrtc_leak_source: 'scanner',
      tcp_mss: 1_380,
      mtu_value: 1_420,
      mtu_hint: 'vpn_likely',
      stun_request_seen: true,
      is_scanner_stun_passed: true,
      stun_flow_status: 'ok',
    })
  })

  test.each([
    [
      'Windows',
      'Chrome',
      'desktop',
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
    ],
    [
      'Windows',
      'Microsoft Edge',
      'desktop',
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36 Edg/156.0.0.0',
    ],
    [
      'Mac OS X',
      'Safari',
      'desktop',
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Safari/605.1.15',
    ],
    ['Linux', 'Firefox', 'desktop', 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0'],
    [
      'Android',
      'Chrome',
      'mobile',
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Mobile Safari/537.36',
    ],
    [
      'Android',
      'Samsung Internet',
      'mobile',
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/30.0 Chrome/140.0.0.0 Mobile Safari/537.36',
    ],
    [
      'IOS (iPhone)',
      'Safari (iOS)',
      'mobile',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
    ],
    [
      'IOS (iPhone)',
      'Chrome (iOS)',
      'mobile',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/150.0.0.0 Mobile/15E148 Safari/604.1',
    ],
    [
      'IOS (iPad)',
      'Safari (iOS)',
      'tablet',
      'Mozilla/5.0 (iPad; CPU OS 15_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/15.6 Mobile/15E148 Safari/604.1',
    ],
    [
      'ChromeOS',
      'Chrome',
      'desktop',
      'Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
    ],
    [
      'Windows',
      'Opera',
      'desktop',
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/155.0.0.0 Safari/537.36 OPR/125.0.0.0',
    ],
    ['Unknown', 'Unknown', 'unknown', 'what is this'],
  ])('S1 os, browser, device_type: %s, %s, %s', async (os, browser, device_type, userAgent) => {
    const row = await recorded(JSON.stringify({ readings: { user_agent: { value: userAgent } } }))
    expect([row.os, row.browser, row.device_type]).toEqual([os, browser, device_type])
  })
})

describe('2.2 S1 times', () => {
  const at = Date.UTC(2026, 8, 3, 4, 5, 6, 7)

  test('created_at is YYYY-MM-DD HH:MM:SS.mmm in UTC, and ver of the first version equals it', async () => {
    const fixed = await runningServer({ now: () => at })
    const requestId = randomUUID()
    await identify(fixed, requestId, ordinaryBody())
    const row = await rowOf(fixed, requestId)
    expect([row.created_at, row.ver]).toEqual(['2026-09-03 04:05:06.007', at])
  })

  test('a whole second keeps its three zeros', async () => {
    const requestId = randomUUID()
    await storeRows(server, [{ requestId, created_at: Date.UTC(2026, 0, 1), ver: Date.UTC(2026, 0, 1) }])
    expect((await rowOf(server, requestId)).created_at).toBe('2026-01-01 00:00:00.000')
  })

  test('created_at is never in the future', async () => {
    const row = await recorded(ordinaryBody())
    expect(createdAtMs(row)).toBeLessThanOrEqual(Date.now())
    expect(row.ver).toBe(createdAtMs(row))
  })
})

describe('S2 detection flags as columns', () => {
  test('are 19, in wire order', () => {
    expect(DETECTION_FLAGS.map(({ flag }) => flag)).toEqual([
      ...['vpn', 'privacy_relay', 'browser_vpn_proxy', 'tor', 'proxy', 'datacenter_ip', 'abuser'],
      ...['os_mismatch', 'os_not_detected', 'timezone_mismatch', 'anti_detect_browser', 'browser_automation'],
      ...['ip_mismatch', 'incognito', 'search_bot', 'suspicious_paid_click', 'javascript_disabled'],
      ...['stun_not_checked', 'check_incomplete'],
    ])
  })

  test.each([
    ['vpn', 'is_vpn'],
    ['privacy_relay', 'is_privacy_relay'],
    ['browser_vpn_proxy', undefined],
    ['tor', 'is_tor'],
    ['proxy', 'is_proxy'],
    ['datacenter_ip', 'is_datacenter'],
    ['abuser', 'is_abuser'],
    ['os_mismatch', 'is_os_mismatch'],
    ['os_not_detected', 'is_os_not_detected'],
    ['timezone_mismatch', 'is_timezone_mismatch'],
    ['anti_detect_browser', 'is_antidetect'],
    ['browser_automation', 'is_browser_automation'],
    ['ip_mismatch', undefined],
    ['incognito', 'is_incognito'],
    ['search_bot', 'is_search_bot'],
    ['suspicious_paid_click', 'is_suspicious_paid_click'],
    ['javascript_disabled', 'is_js_disabled'],
    ['stun_not_checked', 'is_stun_not_checked'],
    ['check_incomplete', 'check_incomplete'],
  ] as const)('%s is the column %s and no other', async (flag, column) => {
    const requestId = randomUUID()
    await storeRows(server, [{ requestId, flags: flagsToBits({ ...NO_FLAGS, [flag]: true }) }])
    const row = await rowOf(server, requestId)
    const raised = Object.entries(row).flatMap(([key, value]) => (value === true ? [key] : []))
    expect(raised).toEqual(column === undefined ? [] : [column])
  })
})

test('2.3 a weight may be negative, and an unknown signal keeps its description', async () => {
  const requestId = randomUUID()
  const verdict = JSON.stringify({
    entries: [
      { name: 'stun_not_checked', description: 'Stun is not checked', weight: 30, value: 30, evidence: {} },
      {
        name: 'stun_late_correction',
        description: 'Stun passed (late arrival, corrected)',
        weight: -30,
        value: -30,
        evidence: {},
      },
    ],
    clear: [],
    unknown: [],
    components: [],
  })
  await storeRows(server, [{ requestId, verdict }])
  expect(JSON.parse((await rowOf(server, requestId)).score_details)).toEqual([
    { Value: 30, Description: 'Stun is not checked' },
    { Value: -30, Description: 'Stun passed (late arrival, corrected)' },
  ])
})
