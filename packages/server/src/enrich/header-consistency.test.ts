import { createServer } from 'node:http'
import { createSecureServer } from 'node:http2'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import type { Page } from 'playwright-core'
import { describe, expect, onTestFinished, test } from 'vitest'
import { describeBrowsers, type TestBrowser } from '../../../../test/browsers.ts'
import { missing, readings, value } from '../../test/identified.ts'
import { selfSignedCertificate } from '../../test/self-signed-certificate.ts'
import { headerFacts } from '../observe/connection/connection-evidence.ts'
import { type HeaderFacts, observed, unavailable } from '../visit/network-evidence.ts'
import type { Readings } from '../visit/received.ts'
import { clientFacts } from './client-facts.ts'
import { type HeaderClaims, headerConsistency } from './header-consistency.ts'

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36'
const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:153.0) Gecko/20100101 Firefox/153.0'
const SAFARI =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15'

const BRANDS = '"Not:A-Brand";v="8", "Chromium";v="156", "Google Chrome";v="156"'

const CHROME_HEADERS: HeaderFacts = {
  httpVersion: '1.1',
  names: [
    ...[
      'Host',
      'Connection',
      'Content-Length',
      'sec-ch-ua-platform',
      'User-Agent',
      'sec-ch-ua',
      'Content-Type',
    ],
    ...['sec-ch-ua-mobile', 'Accept', 'Origin', 'Sec-Fetch-Site', 'Sec-Fetch-Mode', 'Sec-Fetch-Dest'],
    ...['Referer', 'Accept-Encoding', 'Accept-Language'],
  ],
  acceptLanguage: 'de-DE,de;q=0.9,en;q=0.8',
  clientHintPlatform: 'Windows',
  clientHintBrands: BRANDS,
  fetchMetadata: 'cross-site/cors/empty',
  accept: '*/*',
}
const CHROME_HTTP2: HeaderFacts = {
  ...CHROME_HEADERS,
  httpVersion: '2.0',
  names: [
    ...[':method', ':authority', ':scheme', ':path'],
    ...CHROME_HEADERS.names.slice(2).map((name) => name.toLowerCase()),
    'priority',
  ],
}
const FIREFOX_HEADERS: HeaderFacts = {
  httpVersion: '1.1',
  names: [
    ...['Host', 'User-Agent', 'Accept', 'Accept-Language', 'Accept-Encoding', 'Content-Type', 'Referer'],
    ...[
      'Content-Length',
      'Origin',
      'Connection',
      'Sec-Fetch-Dest',
      'Sec-Fetch-Mode',
      'Sec-Fetch-Site',
      'Priority',
    ],
  ],
  acceptLanguage: 'de-DE,de;q=0.9,en;q=0.8',
  clientHintPlatform: '',
  clientHintBrands: '',
  fetchMetadata: 'cross-site/cors/empty',
  accept: '*/*',
}

const HINTS = {
  brands: [
    { brand: 'Not:A-Brand', version: '8' },
    { brand: 'Chromium', version: '156' },
  ],
  mobile: false,
  platform: 'Windows',
}
const LANGUAGES = { language: 'de-DE', languages: ['de-DE', 'de', 'en'], locale: 'de-DE' }

const claimOf = (userAgent: string, given: Partial<Readings> = {}): HeaderClaims => ({
  userAgent,
  engine: clientFacts({ userAgent }).engine,
  readings: readings({
    user_agent: value(userAgent),
    client_hints: userAgent === CHROME ? value(HINTS) : missing,
    languages: value(LANGUAGES),
    ...given,
  }),
  secure: true,
})

const compare = (facts: HeaderFacts, claims: HeaderClaims) =>
  headerConsistency(observed('http', facts), claims)
const found = (facts: Partial<HeaderFacts>, claims: Partial<HeaderClaims> = {}) =>
  compare({ ...CHROME_HEADERS, ...facts }, { ...claimOf(CHROME), ...claims }).contradictions.map(
    ({ name }) => name,
  )
const foundInFirefox = (facts: Partial<HeaderFacts>, claims: Partial<HeaderClaims> = {}) =>
  compare({ ...FIREFOX_HEADERS, ...facts }, { ...claimOf(FIREFOX), ...claims }).contradictions.map(
    ({ name }) => name,
  )

const without = (names: readonly string[], ...gone: string[]) => names.filter((name) => !gone.includes(name))

describe('an honest browser', () => {
  test.each([
    ['Chrome over HTTP/1.1', CHROME_HEADERS, claimOf(CHROME), ['pseudo_header_order']],
    ['Chrome over HTTP/2', CHROME_HTTP2, claimOf(CHROME), ['name_case']],
    [
      'Firefox over HTTP/1.1',
      FIREFOX_HEADERS,
      claimOf(FIREFOX),
      ['client_hint_platform', 'client_hint_version', 'pseudo_header_order'],
    ],
  ])('%s passes all checks', (_name, facts, claims, unknown) => {
    const { contradictions, ...rest } = compare(facts, claims)
    expect(contradictions).toEqual([])
    expect(rest.unknown).toEqual(unknown)
  })

  test.each([
    [
      'a page or extension that sets the language, which Chromium then writes earlier',
      { names: without(CHROME_HEADERS.names, 'Accept-Language').toSpliced(4, 0, 'accept-language') },
      {},
    ],
    [
      'a page without hints for script on plain HTTP',
      {},
      { readings: claimOf(CHROME, { client_hints: missing }).readings },
    ],
    [
      'a service on plain HTTP, to which no hints are sent',
      {
        names: without(CHROME_HEADERS.names, 'sec-ch-ua', 'sec-ch-ua-platform'),
        clientHintPlatform: '',
        clientHintBrands: '',
      },
      { secure: false },
    ],
    ['one language in the header', { acceptLanguage: 'de' }, {}],
    ['another region in the header', { acceptLanguage: 'de-AT,de;q=0.9' }, {}],
    ['a header that names the second language', { acceptLanguage: 'en-US,en' }, {}],
    ['any language', { acceptLanguage: '*' }, {}],
  ] satisfies [string, Partial<HeaderFacts>, Partial<HeaderClaims>][])(
    '%s is innocent',
    (_name, facts, claims) => {
      expect(found(facts, claims)).toEqual([])
    },
  )

  test('a request that no fetch of a browser makes contradicts it', () => {
    const gone = without(CHROME_HEADERS.names, 'Sec-Fetch-Site', 'Sec-Fetch-Dest')
    expect(found({ names: gone })).toEqual(['fetch_metadata'])
    expect(found({ names: gone }, { secure: false })).toEqual([])
    expect(found({ names: gone }, { engine: 'Ladybird' })).toEqual([])
    expect(found({ fetchMetadata: 'none/navigate/document' })).toEqual(['request_kind'])
    expect(found({ accept: 'text/html,application/xhtml+xml' })).toEqual(['request_kind'])
    expect(found({ fetchMetadata: 'same-origin/same-origin/empty' })).toEqual([])
    expect(found({ acceptLanguage: '' })).toEqual(['accept_language'])
    const appended = { names: [...without(CHROME_HEADERS.names, 'Content-Length'), 'Content-Length'] }
    expect(found(appended)).toEqual(['length_order'])
    const newer = CHROME.replace('156', '157')
    expect(found(appended, claimOf(newer, { client_hints: missing }))).not.toContain('length_order')
  })

  test('an order that nobody is known for may be that of a later version', () => {
    const own = {
      ...CHROME_HTTP2,
      names: [':method', ':scheme', ':authority', ':path', ...CHROME_HTTP2.names.slice(4)],
    }
    const others = {
      ...CHROME_HTTP2,
      names: [':method', ':path', ':authority', ':scheme', ...CHROME_HTTP2.names.slice(4)],
    }
    const later = claimOf(CHROME.replace('156', '158'), { client_hints: missing })
    expect(found(own)).toContain('pseudo_header_order')
    expect(found(own, later)).not.toContain('pseudo_header_order')
    expect(found(others, later)).toContain('pseudo_header_order')
  })

  test('a deprecated language code equals its successor', () => {
    const languages = value({ language: 'iw-IL', languages: ['iw-IL'], locale: 'he-IL' })
    expect(found({ acceptLanguage: 'he-IL' }, claimOf(CHROME, { languages }))).toEqual([])
  })

  test('an Android tablet that requests desktop pages passes', () => {
    const desktop = CHROME.replace('Windows NT 10.0; Win64; x64', 'X11; Linux x86_64')
    const hints = value({ ...HINTS, platform: 'Android' })
    const claims = { ...claimOf(desktop, { client_hints: hints }) }
    expect(found({ clientHintPlatform: 'Android' }, claims)).toEqual([])
  })

  test('Edge on an Xbox, whose hints say Windows, passes', () => {
    const xbox = CHROME.replace('x64', 'x64; Xbox; Xbox Series X')
    expect(found({}, claimOf(xbox))).toEqual([])
  })

  test('Tor Browser, whose header said Windows, passes', () => {
    const script = FIREFOX.replace('Windows NT 10.0; Win64; x64', 'X11; Linux x86_64')
    expect(foundInFirefox({}, { ...claimOf(script), userAgent: FIREFOX })).toEqual([])
  })

  test('orders are not checked in Safari', () => {
    const { contradictions, unknown } = compare(
      { ...CHROME_HTTP2, names: without(CHROME_HTTP2.names, 'sec-ch-ua') },
      claimOf(SAFARI),
    )
    expect(contradictions.map(({ name }) => name)).toEqual(['client_hint_platform'])
    expect(unknown).toEqual(expect.arrayContaining(['fetch_order', 'accept_order', 'pseudo_header_order']))
  })
})

describe('a false claim', () => {
  test.each([
    ['another engine in the header', {}, { userAgent: FIREFOX }, 'user_agent'],
    [
      'another system in the header',
      {},
      { userAgent: CHROME.replace('Windows NT 10.0; Win64; x64', 'X11; Linux x86_64') },
      'user_agent',
    ],
    ['a library in the header', {}, { userAgent: 'python-requests/2.32' }, 'user_agent'],
    [
      'hints for script that no header carries',
      { names: without(CHROME_HEADERS.names, 'sec-ch-ua') },
      {},
      'client_hints',
    ],
    ['another platform for script', { clientHintPlatform: 'Linux' }, {}, 'client_hint_platform'],
    ['another version in the hints', { clientHintBrands: '"Chromium";v="120"' }, {}, 'client_hint_version'],
    ['another version in the header', {}, { userAgent: CHROME.replace('156', '120') }, 'client_hint_version'],
    ['another language', { acceptLanguage: 'vi-VN,vi;q=0.9' }, {}, 'language'],
    [
      'sorted fetch metadata',
      { names: CHROME_HEADERS.names.with(10, 'Sec-Fetch-Dest').with(12, 'Sec-Fetch-Site') },
      {},
      'fetch_order',
    ],
    [
      'small letters among capitals',
      { names: CHROME_HEADERS.names.with(10, 'sec-fetch-site') },
      {},
      'name_case',
    ],
    [
      "Firefox' order of pseudo-headers",
      {
        ...CHROME_HTTP2,
        names: [':method', ':path', ':authority', ':scheme', ...CHROME_HTTP2.names.slice(4)],
      },
      {},
      'pseudo_header_order',
    ],
  ] satisfies [string, Partial<HeaderFacts>, Partial<HeaderClaims>, string][])(
    '%s',
    (_name, facts, claims, name) => {
      expect(found(facts, claims)).toContain(name)
    },
  )

  test('of Chromium to be Firefox', () => {
    expect(compare(CHROME_HEADERS, claimOf(FIREFOX)).contradictions.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['client_hints', 'fetch_order', 'accept_order']),
    )
  })

  test('of Firefox to be Chrome, including client hints for script', () => {
    const names = compare(FIREFOX_HEADERS, claimOf(CHROME)).contradictions.map(({ name }) => name)
    expect(names).toEqual(['client_hints', 'fetch_order', 'accept_order', 'length_order'])
  })

  test('has both sides as evidence', () => {
    const { contradictions } = compare({ ...CHROME_HEADERS, acceptLanguage: 'vi-VN' }, claimOf(CHROME))
    expect(contradictions).toEqual([{ name: 'language', evidence: { header: 'vi', script: ['de', 'en'] } }])
  })
})

describe('order and case are unknown', () => {
  const ORDERS = ['fetch_order', 'accept_order', 'name_case', 'pseudo_header_order']
  const sorted = CHROME_HEADERS.names.toSorted((a, b) => (a.toLowerCase() < b.toLowerCase() ? -1 : 1))

  test.each([
    ['behind a proxy that says so', { ...FIREFOX_HEADERS, names: [...FIREFOX_HEADERS.names, 'Via'] }, {}],
    [
      'behind a proxy that forwards',
      { ...FIREFOX_HEADERS, names: ['X-Forwarded-For', ...FIREFOX_HEADERS.names] },
      {},
    ],
    [
      'behind a proxy that lowers names',
      { ...FIREFOX_HEADERS, names: FIREFOX_HEADERS.names.map((name) => name.toLowerCase()) },
      {},
    ],
    ['behind a proxy that sorts', { ...CHROME_HEADERS, names: sorted }, {}],
    [
      'behind a proxy that capitalizes',
      { ...FIREFOX_HEADERS, names: ['Sec-Ch-Ua', ...FIREFOX_HEADERS.names] },
      {},
    ],
  ] satisfies [string, HeaderFacts, Partial<HeaderClaims>][])('%s', (_name, facts, given) => {
    const { contradictions, unknown } = compare(facts, { ...claimOf(CHROME), ...given })
    expect(unknown).toEqual(expect.arrayContaining(ORDERS))
    expect(contradictions).toEqual([])
  })

  test('but values are still compared', () => {
    const { contradictions } = compare({ ...CHROME_HEADERS, acceptLanguage: 'vi' }, claimOf(CHROME))
    expect(contradictions.map(({ name }) => name)).toEqual(['language'])
  })

  test('like everything else without headers', () => {
    const { contradictions, clear, unknown } = headerConsistency(unavailable('behind_proxy'), claimOf(CHROME))
    expect([contradictions, clear, unknown.length]).toEqual([[], [], 13])
  })
})

describe('hostile headers', () => {
  test('never throw, and give one result per check', () => {
    const word = fc.oneof(
      fc.string({ maxLength: 40 }),
      fc.constantFrom(...CHROME_HEADERS.names, ...CHROME_HTTP2.names, 'constructor', '__proto__'),
    )
    const claims = fc.record({ userAgent: word, engine: word, secure: fc.boolean() })
    const facts = fc.record({
      httpVersion: word,
      names: fc.array(word, { maxLength: 64 }),
      acceptLanguage: word,
      clientHintPlatform: word,
      clientHintBrands: word,
      fetchMetadata: word,
      accept: word,
    })
    fc.assert(
      fc.property(facts, claims, (given, claimed) => {
        const { contradictions, clear, unknown } = compare(given, { ...claimOf(CHROME), ...claimed })
        const all = [...contradictions.map(({ name }) => name), ...clear, ...unknown]
        expect([all.length, new Set(all).size]).toEqual([13, 13])
      }),
      { numRuns: 2_000, seed: 20_261_101 },
    )
  })
})

const PAGE = '<!doctype html><title>Shop</title>'
const PAGE_HEADERS = { 'access-control-allow-origin': '*', 'content-type': 'text/html' }

interface Service {
  url: string
  /** The headers of the first POST. */
  posted: Promise<HeaderFacts>
}

async function plainService(): Promise<Service> {
  const posted = Promise.withResolvers<HeaderFacts>()
  const server = createServer((request, response) => {
    if (request.method === 'POST') posted.resolve(headerFacts(request))
    response.writeHead(200, PAGE_HEADERS).end(PAGE)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close().closeAllConnections())
  return { url: `http://localhost:${(server.address() as AddressInfo).port}/`, posted: posted.promise }
}

/** Over TLS, and so over HTTP/2. */
async function encryptedService(): Promise<Service> {
  const posted = Promise.withResolvers<HeaderFacts>()
  const server = createSecureServer(await selfSignedCertificate(), (request, response) => {
    if (request.method === 'POST') posted.resolve(headerFacts(request))
    response.writeHead(200, PAGE_HEADERS).end(PAGE)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { url: `https://localhost:${(server.address() as AddressInfo).port}/`, posted: posted.promise }
}

/** What arrives when a page posts as the agent does. */
async function postFrom(page: Page, { url, posted }: Service): Promise<HeaderFacts> {
  await page.evaluate(`fetch(${JSON.stringify(url)},
    { method: 'POST', mode: 'cors', credentials: 'omit', keepalive: true, body: new Blob(['{}']) })`)
  return await posted
}

/** The readings that the comparison needs, as the agent takes them. */
async function claimsOf(page: Page): Promise<HeaderClaims> {
  const said = (await page.evaluate(`({
    userAgent: navigator.userAgent,
    language: navigator.language,
    languages: [...navigator.languages],
    hints: navigator.userAgentData && {
      brands: navigator.userAgentData.brands.map(({ brand, version }) => ({ brand, version })),
      mobile: navigator.userAgentData.mobile,
      platform: navigator.userAgentData.platform,
    } })`)) as { userAgent: string; language: string; languages: string[]; hints?: typeof HINTS }
  return claimOf(said.userAgent, {
    languages: value({ language: said.language, languages: said.languages, locale: said.language }),
    client_hints: said.hints ? value(said.hints) : missing,
  })
}

const ALWAYS_CLEAR = [
  ...['user_agent', 'client_hints', 'language', 'fetch_order', 'accept_order'],
  ...['fetch_metadata', 'request_kind', 'accept_language', 'length_order'],
]
const HINT_CHECKS = ['client_hint_platform', 'client_hint_version']

describeBrowsers("the agent's request", (browser: TestBrowser) => {
  const hintChecks = browser.name === 'chromium' ? HINT_CHECKS : []

  test('passes over HTTP/1.1', async () => {
    const [site, service] = [await plainService(), await plainService()]
    const page = await browser.running().newPage()
    onTestFinished(() => page.close())
    await page.goto(site.url)
    const facts = await postFrom(page, service)
    const { contradictions, clear } = compare(facts, await claimsOf(page))
    expect(contradictions).toEqual([])
    expect(new Set(clear)).toEqual(new Set([...ALWAYS_CLEAR, 'name_case', ...hintChecks]))
    expect(facts.names.includes('sec-ch-ua')).toBe(browser.name === 'chromium')
  })

  test('passes over HTTP/2', async () => {
    const service = await encryptedService()
    const own = await browser.running().newContext({ ignoreHTTPSErrors: true })
    onTestFinished(() => own.close())
    const page = await own.newPage()
    await page.goto(service.url)
    const facts = await postFrom(page, service)
    const { contradictions, clear } = compare(facts, await claimsOf(page))
    expect(facts.httpVersion).toBe('2.0')
    expect(contradictions).toEqual([])
    expect(new Set(clear)).toEqual(new Set([...ALWAYS_CLEAR, 'pseudo_header_order', ...hintChecks]))
  })

  test('fails if the browser claims to be another one', async () => {
    const service = await plainService()
    const page = await browser.running().newPage()
    onTestFinished(() => page.close())
    await page.goto(service.url)
    const facts = await postFrom(page, service)
    const other = browser.name === 'chromium' ? FIREFOX : CHROME
    const { contradictions } = compare(facts, claimOf(other))
    expect(contradictions.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['client_hints', 'fetch_order', 'accept_order']),
    )
  })
})
