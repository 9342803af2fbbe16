import { Resolver } from 'node:dns/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type DnsAnswer, type DnsServer, startDnsServer } from '../../../test/dns-server.ts'
import { MINUTE_MS } from '../../lib/durations.ts'
import { type CrawlerVerifier, createCrawlerVerifier } from './crawler-verifier.ts'

const GOOGLEBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'
const BINGBOT = 'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)'
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36'

const ADDRESS = '66.249.66.1'
const REVERSE = '1.66.249.66.in-addr.arpa PTR'
const HOST = 'crawl-66-249-66-1.googlebot.com'
const ADDRESS_6 = '2001:4860:4801:10::1'
const REVERSE_6 = '1.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.1.0.0.1.0.8.4.0.6.8.4.1.0.0.2.ip6.arpa PTR'

let dns: DnsServer
let zone: Record<string, DnsAnswer>
let nowMs: number

beforeEach(async () => {
  zone = { [REVERSE]: [HOST], [`${HOST} A`]: [ADDRESS] }
  nowMs = 1_000_000
  dns = await startDnsServer((question) => zone[question] ?? 'no_such_name')
})
afterEach(() => dns.close())

interface Given {
  published?: Record<string, string>
  cacheMax?: number
  /** Short where the server is silent; a busy machine takes longer for an answer. */
  timeoutMs?: number
}

function verifier(given: Given = {}): CrawlerVerifier {
  const resolver = new Resolver({ timeout: given.timeoutMs ?? 5_000, tries: 1 })
  resolver.setServers([dns.address])
  return createCrawlerVerifier({
    crawlerOf: (address) => given.published?.[address],
    resolver,
    now: () => nowMs,
    ...(given.cacheMax && { cacheMax: given.cacheMax }),
  })
}

const GOOGLE_BY_DNS = { name: 'GoogleBot', by: 'reverse_dns' }

describe('a crawler is verified', () => {
  test('without DNS by an address in its published ranges', () => {
    const { verify } = verifier({ published: { [ADDRESS]: 'GoogleBot' } })
    expect(verify(GOOGLEBOT, ADDRESS)).toEqual({ name: 'GoogleBot', by: 'published_range' })
    expect(dns.asked).toEqual([])
  })

  test('by a host name that resolves back to the address', async () => {
    const { verify, settle } = verifier()
    expect(verify(GOOGLEBOT, ADDRESS)).toBe('pending')
    expect(await settle(GOOGLEBOT, ADDRESS)).toEqual(GOOGLE_BY_DNS)
    expect(verify(GOOGLEBOT, ADDRESS)).toEqual(GOOGLE_BY_DNS)
    expect(dns.asked).toEqual([REVERSE, `${HOST} A`])
  })

  test('over IPv6', async () => {
    zone = {
      [REVERSE_6]: ['crawl-6.googlebot.com'],
      'crawl-6.googlebot.com AAAA': ['2001:4860:4801:0010::0001'],
    }
    expect(await verifier().settle(GOOGLEBOT, ADDRESS_6)).toEqual(GOOGLE_BY_DNS)
  })

  test('if one of several names and addresses matches', async () => {
    zone = { [REVERSE]: ['shared.example', HOST], [`${HOST} A`]: ['66.249.66.9', ADDRESS] }
    expect(await verifier().settle(GOOGLEBOT, ADDRESS)).toEqual(GOOGLE_BY_DNS)
  })
})

describe('a crawler is not verified', () => {
  const refused = async (userAgent = GOOGLEBOT, published = {}) => {
    const { verify, settle } = verifier({ published })
    expect(await settle(userAgent, ADDRESS)).toBeUndefined()
    expect(verify(userAgent, ADDRESS)).toBeUndefined()
  }

  test('from an address without a host name outside all ranges', async () => {
    zone = {}
    await refused()
  })

  test("from another crawler's address", async () => {
    zone = {}
    await refused(BINGBOT, { [ADDRESS]: 'GoogleBot' })
  })

  test('by a host name of another crawler', () => refused(BINGBOT))

  test('by a host name that does not resolve back to the address', async () => {
    zone = { [REVERSE]: [HOST], [`${HOST} A`]: ['66.249.66.2'] }
    await refused()
  })

  test.each([
    'googlebot.com.evil.example',
    'evilgooglebot.com',
    'googlebot.com',
    '1.66.249.66.bc.googleusercontent.com',
    '66-249-66-1.gae.googleusercontent.com',
    'google-proxy-66-249-66-1.google.com',
    'search.msn.com',
  ])('by the host name %s', async (host) => {
    zone = { [REVERSE]: [host], [`${host} A`]: [ADDRESS] }
    await refused()
    expect(dns.asked).toEqual([REVERSE])
  })

  test('if the user agent is a browser, without any DNS query', async () => {
    await refused(CHROME, { [ADDRESS]: 'GoogleBot' })
    expect(dns.asked).toEqual([])
  })

  test('if it has neither published ranges nor host names', async () => {
    await refused('Mozilla/5.0 (compatible; MJ12bot/v1.4.8; http://mj12bot.com/)')
    expect(dns.asked).toEqual([])
  })
})

describe('DNS queries', () => {
  test('in progress are shared', async () => {
    const { settle } = verifier()
    const answers = await Promise.all([settle(GOOGLEBOT, ADDRESS), settle(GOOGLEBOT, ADDRESS)])
    expect(answers).toEqual([GOOGLE_BY_DNS, GOOGLE_BY_DNS])
    expect(dns.asked).toHaveLength(2)
  })

  test('are repeated for a confirmed address after a day', async () => {
    const { verify, settle } = verifier()
    await settle(GOOGLEBOT, ADDRESS)
    nowMs += 24 * 60 * MINUTE_MS
    expect(verify(GOOGLEBOT, ADDRESS)).toEqual(GOOGLE_BY_DNS)
    nowMs += 1
    expect(verify(GOOGLEBOT, ADDRESS)).toBe('pending')
  })

  test('are repeated for a refused address after an hour', async () => {
    zone = {}
    const { verify, settle } = verifier()
    await settle(GOOGLEBOT, ADDRESS)
    nowMs += 60 * MINUTE_MS
    expect(verify(GOOGLEBOT, ADDRESS)).toBeUndefined()
    nowMs += 1
    expect(verify(GOOGLEBOT, ADDRESS)).toBe('pending')
  })

  test.each(['silence', 'server_failure'] as const)(
    'that end in %s are asked again after a minute',
    async (failure) => {
      for (const question of [REVERSE, `${HOST} A`]) {
        const { verify, settle } = verifier(failure === 'silence' ? { timeoutMs: 500 } : {})
        zone = { [REVERSE]: [HOST], [`${HOST} A`]: [ADDRESS], [question]: failure }
        expect(await settle(GOOGLEBOT, ADDRESS)).toBeUndefined()
        expect(verify(GOOGLEBOT, ADDRESS)).toBeUndefined()
        nowMs += MINUTE_MS + 1
        zone = { [REVERSE]: [HOST], [`${HOST} A`]: [ADDRESS] }
        expect(await settle(GOOGLEBOT, ADDRESS)).toEqual(GOOGLE_BY_DNS)
      }
    },
  )

  test('are cached up to a number of addresses', async () => {
    const { verify, settle } = verifier({ cacheMax: 2 })
    for (const last of [1, 2, 3]) await settle(GOOGLEBOT, `66.249.66.${last}`)
    expect([1, 2, 3].map((last) => verify(GOOGLEBOT, `66.249.66.${last}`))).toEqual([
      'pending',
      undefined,
      undefined,
    ])
  })

  test('are limited to 64 at a time', async () => {
    zone = new Proxy({}, { get: () => 'silence' })
    const { settle } = verifier({ timeoutMs: 100 })
    const claims = Array.from({ length: 100 }, (_, index) => settle(GOOGLEBOT, `66.249.${index}.1`))
    expect(await Promise.all(claims)).toEqual(Array(100).fill(undefined))
    // The server may read the last ones after their time is over.
    await expect.poll(() => new Set(dns.asked).size).toBe(64)
  })

  test('of one network leave half of them to others', async () => {
    zone = new Proxy({}, { get: () => 'silence' })
    const { settle } = verifier({ timeoutMs: 100 })
    const addresses = [
      ...Array.from({ length: 100 }, (_, index) => `203.0.113.${index}`),
      ...Array.from({ length: 20 }, (_, index) => `66.249.${index}.1`),
    ]
    await Promise.all(addresses.map((address) => settle(GOOGLEBOT, address)))
    await expect.poll(() => new Set(dns.asked).size).toBe(32 + 20)
  })

  test('are not sent for an invalid address', async () => {
    expect(await verifier().settle(GOOGLEBOT, 'no address')).toBeUndefined()
  })
})
