import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { missing, ordinaryReadings, value } from '../identified.ts'
import { turnEvidence } from '../network.ts'
import { runningServer } from '../running-server.ts'
import { temporaryDirectory } from '../temporary-store.ts'
import { ordinaryBody } from './bodies.ts'
import { identify, rowOf } from './callers.ts'
import { inkling } from './command-line.ts'
import { evidence } from './evidence.ts'
import { NAMED_CRAWLER, type ObservedVisits, startObservedVisits } from './observed-visits.ts'
import { soon } from './operator.ts'
import { LISTED, publishLists } from './published-lists.ts'
import { ADDRESSES, from, ROOMY_SETTINGS } from './roomy-settings.ts'

let visits: ObservedVisits
beforeAll(async () => {
  visits = await startObservedVisits()
})
afterAll(() => visits.close())

const BOTS = {
  GoogleBot: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  YandexBot: 'Mozilla/5.0 (compatible; YandexBot/3.0; +http://yandex.com/bots)',
}

/** Like a real crawler, it is automated, names no known system, and completes only half of its check. */
const crawl = (userAgent: string, address: string) =>
  visits.visit({
    address,
    request: { userAgent, acceptLanguage: '' },
    readings: {
      ...ordinaryReadings(),
      user_agent: value(userAgent),
      automation: value({ webdriver: true, markers: [] }),
      screen: missing,
    },
    landing: { url: 'https://shop.example/?gclid=1', referrer: 'https://news.example/' },
  })

const VERIFIED = [
  ['GoogleBot', 'published range', BOTS.GoogleBot, LISTED.crawler],
  ['YandexBot', 'reverse name', BOTS.YandexBot, NAMED_CRAWLER],
] as const

describe.each(VERIFIED)('the crawler %s, verified by its %s', (name, _how, userAgent, address) => {
  const verified = async () => visits.read(await crawl(userAgent, address))

  test('1.10 scores 0, and S3.1 has no entries', async () => {
    const { row, data } = await verified()
    expect([row.score, data.risk_score]).toEqual([0, 0])
    expect([row.score_details, data.signals]).toEqual(['', []])
  })

  test('S2 has the flag search_bot and no other', async () => {
    const { row, data } = await verified()
    const raised = Object.entries(data.detection_flags).flatMap(([flag, set]) => (set ? [flag] : []))
    expect(raised).toEqual(['search_bot'])
    expect(row).toMatchObject({
      is_search_bot: true,
      is_incognito: false,
      check_incomplete: false,
      is_js_disabled: false,
      is_browser_automation: false,
      is_datacenter: false,
    })
  })

  test('2.2 has the connection_type proxy', async () => {
    const { row, data } = await verified()
    expect([row.connection_type, data.connection_type]).toEqual(['proxy', 'proxy'])
  })

  test('S4 has the channel Search bot, and its name as referrer domain', async () => {
    const { row, data } = await verified()
    expect(row).toMatchObject({
      traffic_channel: 'Search bot',
      traffic_channel_group: 'Bot',
      traffic_reason: 'ip_crawler_detected',
      referrer_domain: name,
    })
    expect(data.traffic_source).toMatchObject({ channel: 'Search bot', referrer_domain: name })
  })
})

test('S2 a crawler with packets from another address has no ip_mismatch', async () => {
  const requestId = await visits.visit({
    address: LISTED.crawler,
    request: { userAgent: BOTS.GoogleBot, acceptLanguage: '' },
    network: evidence({ turn: turnEvidence(ADDRESSES.home) }),
  })
  const { row, data } = await visits.read(requestId)
  expect([row.score, data.detection_flags.ip_mismatch]).toEqual([0, false])
})

test('S2 a crawler without JavaScript has no javascript_disabled', async () => {
  const requestId = await visits.visit({
    address: LISTED.crawler,
    request: { userAgent: BOTS.GoogleBot, acceptLanguage: '' },
    via: 'noscript',
  })
  const { row, data } = await visits.read(requestId)
  expect([row.score, data.detection_flags.javascript_disabled]).toEqual([0, false])
})

test.each([
  ['from an address that proves nothing', BOTS.GoogleBot, LISTED.unlisted],
  ['from the address of another crawler', BOTS.YandexBot, LISTED.crawler],
])('a false crawler is scored like any visitor: %s', async (_how, userAgent, address) => {
  const { row, data } = await visits.read(await crawl(userAgent, address))
  expect(row.score).toBeGreaterThanOrEqual(60)
  expect(data.detection_flags).toMatchObject({ search_bot: false, browser_automation: true })
  expect(row).toMatchObject({ traffic_channel: 'Google Ads', referrer_domain: 'news.example' })
})

test('a running server recognises crawlers and Tor once the command line has fetched the lists of `FEEDS`', async () => {
  const FEEDS = await publishLists(await temporaryDirectory())
  const server = await runningServer({ settings: { ...ROOMY_SETTINGS, FEEDS } })
  const statuses = await inkling(server, ['feeds', 'update'], { FEEDS })
  expect(statuses).toContainEqual(expect.objectContaining({ feed: 'crawler', rows: 1, state: 'current' }))
  const scored = async (address: string, userAgent: string) => {
    const requestId = randomUUID()
    await identify(server, requestId, ordinaryBody(), { ...from(address), 'user-agent': userAgent })
    return rowOf(server, requestId)
  }
  await soon(async () =>
    expect(await scored(LISTED.crawler, BOTS.GoogleBot)).toMatchObject({ score: 0, is_search_bot: true }),
  )
  await soon(async () =>
    expect(await scored(LISTED.tor, 'Mozilla/5.0')).toMatchObject({ score: 99, is_tor: true }),
  )
})
