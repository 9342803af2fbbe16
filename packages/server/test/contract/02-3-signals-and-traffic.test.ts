import { randomUUID } from 'node:crypto'
import { IdentificationScored, signalNameOf } from '@inkling/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestServer } from '../running-server.ts'
import { type Receiver, startWebhookReceiver } from '../webhook-receiver.ts'
import { AUTOMATED, ordinaryBody, timedOutBody } from './bodies.ts'
import { identify, rowOf } from './callers.ts'
import { ADDRESSES, from, ROOMY_SETTINGS } from './roomy-settings.ts'

let server: Awaited<ReturnType<typeof startTestServer>>
let receiver: Receiver & { close(): void }
beforeAll(async () => {
  receiver = await startWebhookReceiver()
  server = await startTestServer({ settings: ROOMY_SETTINGS, endpoints: [receiver.url] })
})
afterAll(async () => {
  await server.close()
  receiver.close()
})

/** An identification in both read paths. */
async function observe(body: string, headers: Record<string, string> = {}) {
  const requestId = randomUUID()
  const before = receiver.received.length
  await identify(server, requestId, body, headers)
  const deliveries = await receiver.count(before + 1)
  const event = IdentificationScored.parse(JSON.parse(deliveries.at(-1)?.body.toString() ?? ''))
  expect(event.data.request_id).toBe(requestId)
  return { row: await rowOf(server, requestId), data: event.data }
}

const TOKYO = { timezone: { name: 'Asia/Tokyo', offset_minutes: 540 } }
const NO_OS = { user_agent: 'Mozilla/5.0 (Something; else) Chrome/156.0.0.0' }

describe('S3 signals and weights', () => {
  test.each([
    ['browser_automation', 60, 'Browser Automation', ordinaryBody({}, AUTOMATED), ADDRESSES.home],
    ['os_not_detected', 30, 'UA OS is not detected', ordinaryBody({}, NO_OS), ADDRESSES.home],
    ['datacenter_ip', 10, 'Is datacenter', ordinaryBody(), ADDRESSES.hosting],
    ['timezone_mismatch', 10, 'Browser timezone ≠ IP-timezone', ordinaryBody({}, TOKYO), ADDRESSES.home],
  ])('%s weighs %i and reads "%s"', async (name, weight, description, body, address) => {
    const { row, data } = await observe(body, from(address))
    expect(JSON.parse(row.score_details)).toEqual([{ Value: weight, Description: description }])
    expect(signalNameOf(description)).toBe(name)
    expect(data.signals).toEqual([{ name, weight }])
    expect([row.score, data.risk_score]).toEqual([weight, weight])
    expect(data.detection_flags[name as keyof typeof data.detection_flags]).toBe(true)
  })

  test('javascript_disabled weighs 90 and its description begins with JavaScript disabled', async () => {
    const before = receiver.received.length
    await fetch(`${server.url}/noscript?publicKey=${server.keys.public_key}`, {
      headers: { referer: 'https://shop.example/' },
    })
    const deliveries = await receiver.count(before + 1)
    const { data } = IdentificationScored.parse(JSON.parse(deliveries.at(-1)?.body.toString() ?? ''))
    expect(data).toMatchObject({ risk_score: 90, signals: [{ name: 'javascript_disabled', weight: 90 }] })
    const [detail] = JSON.parse((await rowOf(server, data.request_id)).score_details)
    expect(detail.Value).toBe(90)
    expect(detail.Description).toMatch(/^JavaScript disabled/)
  })

  test('check_incomplete is informational: Value 0 in History, no signal on the webhook, the flag is set', async () => {
    const { row, data } = await observe(timedOutBody(''), { 'user-agent': '' })
    expect(row.score_details).toBe('[{"Value":0,"Description":"Check Incomplete"}]')
    expect(row.check_incomplete).toBe(true)
    expect(data.signals).toEqual([])
    expect(data.detection_flags.check_incomplete).toBe(true)
  })

  test('S3.6-7 signals add up, and the sum is clamped to 100', async () => {
    const { row, data } = await observe(
      ordinaryBody({}, { ...AUTOMATED, ...NO_OS, ...TOKYO }),
      from(ADDRESSES.hosting),
    )
    expect(row.score).toBe(100)
    expect(data.signals).toEqual([
      { name: 'browser_automation', weight: 60 },
      { name: 'os_not_detected', weight: 30 },
      { name: 'datacenter_ip', weight: 10 },
      { name: 'timezone_mismatch', weight: 10 },
    ])
  })
})

const landing = (query: string, referrer = '') => ({
  landing: { url: `https://shop.example/${query}`, referrer },
})

describe('S4 traffic source', () => {
  test.each([
    [
      'click ID before UTM',
      '?gclid=1&utm_source=news&utm_medium=email',
      '',
      'Google Ads',
      'Paid Search',
      'gclid_present',
      'gclid',
    ],
    ['gbraid', '?gbraid=1', '', 'Google Ads', 'Paid Search', 'gclid_present', 'gbraid'],
    ['wbraid', '?wbraid=1', '', 'Google Ads', 'Paid Search', 'gclid_present', 'wbraid'],
    ['msclkid', '?msclkid=1', '', 'Microsoft Ads', 'Paid Search', 'msclkid_present', 'msclkid'],
    ['ttclid', '?ttclid=1', '', 'TikTok', 'Paid Social', 'ttclid_present', 'ttclid'],
    [
      'fbclid from Meta',
      '?fbclid=1',
      'https://l.facebook.com/',
      'Meta',
      'Paid Social',
      'fbclid_present',
      'fbclid',
    ],
    [
      'fbclid with a Meta utm_source',
      '?fbclid=1&utm_source=Facebook',
      '',
      'Meta',
      'Paid Social',
      'fbclid_present',
      'fbclid',
    ],
    ['fbclid alone does not count', '?fbclid=1', '', 'Direct', 'Direct', 'no_source_detected', undefined],
    [
      'UTM before referrer',
      '?utm_source=google&utm_medium=CPC',
      'https://www.reddit.com/',
      'Google Ads',
      'Paid Search',
      'utm_match',
      undefined,
    ],
    [
      'a search engine',
      '',
      'https://www.google.com/',
      'Organic Search',
      'Organic',
      'referrer_search_engine',
      undefined,
    ],
    ['LinkedIn', '', 'https://www.linkedin.com/feed/', 'LinkedIn', 'Social', 'referrer_social', undefined],
    ['X', '', 'https://t.co/abc', 'X', 'Social', 'referrer_social', undefined],
    ['Pinterest', '', 'https://www.pinterest.de/', 'Pinterest', 'Social', 'referrer_social', undefined],
    [
      'another page',
      '',
      'https://blog.partner.co.uk/post',
      'Referral',
      'Referral',
      'external_referrer',
      undefined,
    ],
    ['nothing', '', '', 'Direct', 'Direct', 'no_source_detected', undefined],
    [
      'the site itself',
      '',
      'https://www.shop.example/cart',
      'Direct',
      'Direct',
      'no_source_detected',
      undefined,
    ],
  ])('%s', async (_name, query, referrer, channel, group, reason, clickId) => {
    const { row, data } = await observe(ordinaryBody(landing(query, referrer)))
    expect([row.traffic_channel, row.traffic_channel_group, row.traffic_reason]).toEqual([
      channel,
      group,
      reason,
    ])
    expect(row.click_id_type).toBe(clickId)
    expect(data.traffic_source).toMatchObject({ channel, click_id_type: clickId ?? '' })
  })

  test('utm_source and utm_medium are lowercased, the other UTM fields kept as they are', async () => {
    const query = '?utm_source=NewsLetter&utm_medium=EMail&utm_campaign=Spring&utm_content=Top&utm_term=Shoes'
    const { row, data } = await observe(ordinaryBody(landing(query)))
    const expected = {
      utm_source: 'newsletter',
      utm_medium: 'email',
      utm_campaign: 'Spring',
      utm_content: 'Top',
      utm_term: 'Shoes',
    }
    expect(row).toMatchObject(expected)
    expect(data.traffic_source).toMatchObject(expected)
  })

  test('entry_url and landing_url are the landing page without its fragment', async () => {
    const { row, data } = await observe(ordinaryBody(landing('a?b=c&d=e#secret')))
    expect([row.entry_url, data.traffic_source.landing_url]).toEqual(
      Array.from({ length: 2 }, () => 'https://shop.example/a?b=c&d=e'),
    )
  })

  test('referrer_domain is the registrable domain without www', async () => {
    const { row, data } = await observe(ordinaryBody(landing('', 'https://www.deep.partner.co.uk/post')))
    expect([row.referrer_domain, data.traffic_source.referrer_domain]).toEqual([
      'partner.co.uk',
      'partner.co.uk',
    ])
  })

  test('S2 suspicious_paid_click: a paid click with a score of 60 or more', async () => {
    const paid = await observe(ordinaryBody(landing('?msclkid=1'), AUTOMATED))
    expect(paid.data.detection_flags.suspicious_paid_click).toBe(true)
    const organic = await observe(ordinaryBody(landing('', 'https://www.google.com/'), AUTOMATED))
    expect(organic.data.detection_flags.suspicious_paid_click).toBe(false)
    const harmless = await observe(ordinaryBody(landing('?msclkid=1')))
    expect(harmless.data.detection_flags.suspicious_paid_click).toBe(false)
  })

  test.each(['cpc', 'paid_social'])(
    'S2 a click paid to none of the seven platforms is no suspicious_paid_click: medium %s',
    async (medium) => {
      const query = `?utm_source=other&utm_medium=${medium}`
      const { row, data } = await observe(ordinaryBody(landing(query), AUTOMATED))
      expect([row.traffic_channel, row.score]).toEqual(['Other', 60])
      expect(row).not.toHaveProperty('is_suspicious_paid_click')
      expect(data.detection_flags.suspicious_paid_click).toBe(false)
    },
  )
})
