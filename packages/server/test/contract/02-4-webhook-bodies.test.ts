import { createHmac, randomUUID } from 'node:crypto'
import { IdentificationScored, TestDelivery } from '@inkling/contract'
import { describe, expect, test } from 'vitest'
import { sign } from '../../src/deliver/attempt.ts'
import { runningServer, type TestServerOptions } from '../running-server.ts'
import { webhookReceiver } from '../webhook-receiver.ts'
import { AUTOMATED, ordinaryBody } from './bodies.ts'
import { identify, rowOf } from './callers.ts'
import { inkling } from './command-line.ts'
import { addWebhook, pingWebhook } from './endpoints.ts'
import { ADDRESSES, from, ROOMY_SETTINGS } from './roomy-settings.ts'

/** The event of one identification, as text and parsed. */
async function delivered(
  body: string,
  { headers = {}, ...options }: TestServerOptions & { headers?: Record<string, string> } = {},
) {
  const receiver = await webhookReceiver()
  const server = await runningServer({ settings: ROOMY_SETTINGS, endpoints: [receiver.url], ...options })
  const requestId = randomUUID()
  await identify(server, requestId, body, headers)
  const [delivery] = await receiver.count(1)
  const text = delivery?.body.toString('utf8') ?? ''
  return { server, requestId, delivery, text, event: IdentificationScored.parse(JSON.parse(text)) }
}

const LANDING = {
  url: 'https://shop.example/?gclid=<b>&utm_source=s&utm_medium=m&utm_campaign=c&utm_content=n&utm_term=t',
  referrer: 'https://news.example/',
}

describe('2.4 S5 identification.scored', () => {
  test('has exactly these bytes: key order, compact JSON, escapes, timestamps, no final newline', async () => {
    const session = randomUUID()
    const cookie = randomUUID()
    const body = ordinaryBody(
      { session_id: session, cookie_id: cookie, user_hid: 'Zoë & <Co>\u2028\u2029', landing: LANDING },
      AUTOMATED,
    )
    const { server, requestId, text } = await delivered(body, {
      now: () => Date.UTC(2026, 8, 30, 12, 34, 56, 120),
      headers: { ...from(ADDRESSES.hosting), origin: 'https://pay.shop.example' },
    })
    const { device_id, visitor_id } = await rowOf(server, requestId)
    const landingUrl =
      'https://shop.example/?gclid=\\u003cb\\u003e\\u0026utm_source=s\\u0026utm_medium=m' +
      '\\u0026utm_campaign=c\\u0026utm_content=n\\u0026utm_term=t'
    expect(text).toBe(
      [
        '{"event_type":"identification.scored","schema_version":"2026-06-01",',
        '"created_at":"2026-09-30T12:34:56.12Z","data":{',
        `"request_id":"${requestId}","visitor_id":"${visitor_id}","device_id":"${device_id}",`,
        `"session_id":"${session}","cookie_id":"${cookie}",`,
        '"user_hid":"Zoë \\u0026 \\u003cCo\\u003e\\u2028\\u2029","domain":"shop.example",',
        '"public_ip":{"ip":"5.9.0.1","country":"Germany"},"local_ip":{"ip":"","country":""},',
        '"connection_type":"proxy","os":"Windows","browser":"Chrome","device_type":"desktop",',
        '"traffic_source":{"channel":"Google Ads","referrer_domain":"news.example",',
        `"landing_url":"${landingUrl}","click_id_type":"gclid","utm_source":"s","utm_medium":"m",`,
        '"utm_campaign":"c","utm_content":"n","utm_term":"t"},"risk_score":70,',
        '"signals":[{"name":"browser_automation","weight":60},{"name":"datacenter_ip","weight":10}],',
        '"detection_flags":{"vpn":false,"privacy_relay":false,"browser_vpn_proxy":false,"tor":false,',
        '"proxy":false,"datacenter_ip":true,"abuser":false,"os_mismatch":false,"os_not_detected":false,',
        '"timezone_mismatch":false,"anti_detect_browser":false,"browser_automation":true,',
        '"ip_mismatch":false,"incognito":false,"search_bot":false,"suspicious_paid_click":true,',
        '"javascript_disabled":false,"stun_not_checked":false,"check_incomplete":false},',
        '"observed_at":"2026-09-30T12:34:56.12Z"}}',
      ].join(''),
    )
  })

  test.each([
    [Date.UTC(2026, 8, 30, 12, 0, 0, 0), '2026-09-30T12:00:00Z'],
    [Date.UTC(2026, 8, 30, 12, 0, 0, 500), '2026-09-30T12:00:00.5Z'],
    [Date.UTC(2026, 8, 30, 12, 0, 10, 7), '2026-09-30T12:00:10.007Z'],
  ])('timestamps are RFC 3339 UTC with trailing zeros trimmed: %i is %s', async (at, expected) => {
    const { event } = await delivered(ordinaryBody(), { now: () => at })
    expect([event.created_at, event.data.observed_at]).toEqual([expected, expected])
  })

  test('user_hid is null when empty, and only then', async () => {
    const { text } = await delivered(ordinaryBody({ user_hid: '' }))
    expect(text).toContain('"user_hid":null,')
    expect((await delivered(ordinaryBody({ user_hid: 'null' }))).text).toContain('"user_hid":"null",')
    expect((await delivered(ordinaryBody({ user_hid: undefined }))).text).toContain('"user_hid":"fail",')
  })

  test('public_ip.ip is "" where History has 0.0.0.0, and the country is still set', async () => {
    const { event, server, requestId } = await delivered(ordinaryBody(), { headers: from(ADDRESSES.ipv6) })
    expect(event.data.public_ip).toEqual({ ip: '', country: 'Germany' })
    expect((await rowOf(server, requestId)).ip).toBe('0.0.0.0')
  })

  test('all nine keys of traffic_source and all 19 flags are always present', async () => {
    const { event, text } = await delivered('{}')
    expect(Object.keys(event.data.traffic_source)).toHaveLength(9)
    expect(Object.keys(event.data.detection_flags)).toHaveLength(19)
    expect(text).toContain(
      '"traffic_source":{"channel":"Direct","referrer_domain":"","landing_url":"","click_id_type":"",' +
        '"utm_source":"","utm_medium":"","utm_campaign":"","utm_content":"","utm_term":""}',
    )
  })

  test('domain is the registered domain, also for a subdomain', async () => {
    const { event } = await delivered(ordinaryBody(), { headers: { origin: 'https://a.b.shop.example' } })
    expect(event.data.domain).toBe('shop.example')
  })

  test('by default it has no event_id', async () => {
    expect((await delivered(ordinaryBody())).text).not.toContain('event_id')
  })
})

describe('2.5 S5 webhook.ping', () => {
  test('has exactly created_at to the second, event_type and schema_version, keys sorted, no data', async () => {
    const receiver = await webhookReceiver()
    const server = await runningServer()
    const { id, secret } = await addWebhook(server, receiver.url)
    await pingWebhook(server, id, { now: () => Date.UTC(2026, 8, 30, 12, 34, 56, 789) })
    const [delivery] = await receiver.count(1)
    expect(delivery?.body.toString()).toBe(
      '{"created_at":"2026-09-30T12:34:56Z","event_type":"webhook.ping","schema_version":"2026-06-01"}',
    )
    const mac = createHmac('sha256', secret)
      .update(delivery?.body ?? '')
      .digest('hex')
    expect(delivery?.headers).toMatchObject({
      'content-type': 'application/json',
      'x-svc-signature': `sha256=${mac}`,
    })
  })

  test('the published test vector: secret, body and signature', () => {
    const body =
      '{"created_at":"2026-09-30T12:34:56Z","event_type":"webhook.ping","schema_version":"2026-06-01"}'
    expect(sign(Buffer.from(body), 'whsec_00112233445566778899aabbccddeeff')).toBe(
      'sha256=ea2685733d254f7028fb031c4214583b0650de01e6c8c93131236024edd9fdd8',
    )
  })
})

/** Every object's keys, at every level. */
function* keyLists(value: unknown): Generator<string[]> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield Object.keys(value)
  for (const inner of Object.values(value)) yield* keyLists(inner)
}

describe('6.3 S5 the Test delivery', () => {
  test('is the fixed sample: sorted keys, whole seconds, two-letter countries, 17 flags, score 30', async () => {
    const receiver = await webhookReceiver()
    const server = await runningServer()
    const { id, secret } = await addWebhook(server, receiver.url)
    const printed = await inkling(server, ['webhook', 'test', 'shop.example', String(id)])
    expect(printed).toMatchObject({ state: 'verified', status: 204 })
    const [delivery] = await receiver.count(1)
    const text = delivery?.body.toString() ?? ''
    const mac = createHmac('sha256', secret).update(text).digest('hex')
    expect(delivery?.headers['x-svc-signature']).toBe(`sha256=${mac}`)

    const sample = TestDelivery.parse(JSON.parse(text))
    for (const keys of keyLists(JSON.parse(text))) expect(keys).toEqual(keys.toSorted())
    expect([sample.created_at, sample.data.observed_at].join()).toMatch(
      /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ,\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/,
    )
    expect(sample.created_at).toBe(sample.data.observed_at)
    for (const { country } of [sample.data.public_ip, sample.data.local_ip])
      expect(country).toMatch(/^[A-Z]{2}$/)
    const flags = Object.keys(sample.data.detection_flags)
    expect(flags).toHaveLength(17)
    expect(flags).not.toContain('browser_automation')
    expect(flags).not.toContain('search_bot')
    expect(sample.data).toMatchObject({
      user_hid: null,
      risk_score: 30,
      signals: [
        { name: 'proxy', weight: 10 },
        { name: 'datacenter_ip', weight: 10 },
        { name: 'abuser', weight: 10 },
      ],
    })
    expect(text).not.toMatch(/[&<>\n]/)
    expect(sample.event_type).toBe('identification.scored')

    expect(await inkling(server, ['webhook', 'list', 'shop.example'])).toMatchObject([
      { state: 'unverified' },
    ])
  })
})
