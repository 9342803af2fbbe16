import { expect, test } from 'vitest'
import { CHROMIUM_FETCH, CURL_POST, connected, HELLOS, http2Of, tlsOf } from '../../../test/connections.ts'
import { describeSignal } from '../../../test/describe-signal.ts'
import { identified, missing, ordinaryReadings, proof, readings, value } from '../../../test/identified.ts'
import { clientFacts } from '../../enrich/client-facts.ts'
import type { Identified } from '../../visit/identification.ts'
import {
  type HeaderFacts,
  type NetworkEvidence,
  observed,
  unavailable,
} from '../../visit/network-evidence.ts'
import { clientMismatch } from './client-mismatch.ts'

const FIREFOX = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:153.0) Gecko/20100101 Firefox/153.0'
const SAFARI =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15'

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 26_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) '
const CHROME_ON_IPHONE = `${IPHONE}CriOS/156.0.7800.40 Mobile/15E148 Safari/604.1`
/** Browsers and apps on iOS that name no version of WebKit. */
const ON_IOS: Record<string, string> = {
  Chrome: CHROME_ON_IPHONE,
  Firefox: `${IPHONE}FxiOS/153.0 Mobile/15E148 Safari/605.1.15`,
  'the app of Google': `${IPHONE}GSA/400.0 Mobile/15E148 Safari/604.1`,
  Instagram: `${IPHONE}Mobile/22H20 Instagram 400.0.0 (iPhone14,5; iOS 26_2; de_DE; de; scale=3.00)`,
  'Chrome as a Mac': SAFARI.replace('Version/26.0', 'CriOS/156 Version/11.1.1'),
  'Firefox as a Mac': SAFARI.replace('Version/26.0', 'FxiOS/153.0'),
}

/** The page and the request name this browser. */
const claiming = (userAgent: string) => ({
  request: { userAgent, acceptLanguage: 'de-DE' },
  client: clientFacts({ userAgent }),
  readings: { ...ordinaryReadings(), user_agent: value(userAgent), client_hints: missing },
})

const without = (facts: HeaderFacts, ...gone: string[]): HeaderFacts => ({
  ...facts,
  names: facts.names.filter((name) => !gone.includes(name)),
})

const FIREFOX_FETCH: HeaderFacts = {
  ...CHROMIUM_FETCH,
  names: [
    ...[
      ':method',
      ':path',
      ':authority',
      ':scheme',
      'user-agent',
      'accept',
      'accept-language',
      'accept-encoding',
    ],
    ...[
      'content-type',
      'referer',
      'content-length',
      'origin',
      'sec-fetch-dest',
      'sec-fetch-mode',
      'sec-fetch-site',
      'te',
    ],
  ],
  clientHintPlatform: '',
  clientHintBrands: '',
}

/** Undici adds one header of three. */
const UNDICI: HeaderFacts = {
  ...CURL_POST,
  httpVersion: '1.1',
  names: [
    'host',
    'connection',
    'user-agent',
    'accept',
    'accept-language',
    'sec-fetch-mode',
    'accept-encoding',
  ],
  acceptLanguage: '*',
  fetchMetadata: '/cors/',
}

/** What libraries that imitate a browser send by default: the headers of a page being opened. */
const NAVIGATION: HeaderFacts = {
  ...CHROMIUM_FETCH,
  names: [...CHROMIUM_FETCH.names, 'upgrade-insecure-requests', 'sec-fetch-user'],
  fetchMetadata: 'none/navigate/document',
  accept: 'text/html,application/xhtml+xml',
}

/** TLS of a library, on a host whose visitors' networks all load the agent's script before. */
const withoutScript = (client: Parameters<typeof tlsOf>[0]): NetworkEvidence['tls'] =>
  observed('tls', { ...HELLOS[client], version: 'TLSv1.3', alpn: 'h2', scriptLoaded: false })

/** As programs between browser and server write them. */
const OWN_ORDER: HeaderFacts = {
  ...CHROMIUM_FETCH,
  names: [':method', ':path', ':scheme', ':authority', ...CHROMIUM_FETCH.names.slice(4)],
}

const LATER_CHROME = identified().request.userAgent.replace('156', '158')
const LATER_FINGERPRINT = '1:65536;2:0;4:6291456;6:262144;8:1|15663105|0|m,p,s,a'
const LATER_HTTP2 = observed('http', { fingerprint: LATER_FINGERPRINT })

const ofLater = (names: readonly string[]): HeaderFacts => ({
  ...CHROMIUM_FETCH,
  names,
  clientHintBrands: CHROMIUM_FETCH.clientHintBrands.replaceAll('156', '158'),
})

const NO_TICKET = proof({ ticket: { state: 'missing' }, body: 'unbound', key: { state: 'none' } })
const unavailableHttp2 = unavailable('http1')

describeSignal(clientMismatch, {
  hit: [
    [
      'curl with the user agent of Chrome',
      connected({ tls: tlsOf('curl'), http2: http2Of('curl'), sent: CURL_POST }),
    ],
    [
      'curl with an empty body',
      connected({ tls: tlsOf('curl'), http2: http2Of('curl'), sent: CURL_POST, readings: readings() }),
    ],
    ['Node', connected({ tls: tlsOf('undici'), http2: unavailableHttp2, sent: UNDICI })],
    ['Python', connected({ tls: tlsOf('python'), http2: unavailableHttp2, sent: CURL_POST })],
    ['Go', connected({ tls: tlsOf('go'), sent: CURL_POST })],
    ['Java', connected({ tls: tlsOf('java'), sent: CURL_POST })],
    [
      'a library with every header of Chrome, but without a ticket',
      connected({ tls: tlsOf('undici'), http2: unavailableHttp2, proof: NO_TICKET, followUp: false }),
    ],
    [
      'a copied body without its proof, from a library that opened a channel where tickets are expected',
      connected({ tls: tlsOf('undici'), http2: unavailableHttp2, proof: NO_TICKET }),
    ],
    [
      'a library that claims a version whose TLS is not known',
      connected({
        ...claiming(identified().request.userAgent.replace('156', '80')),
        tls: tlsOf('undici'),
        http2: unavailableHttp2,
        followUp: false,
        proof: NO_TICKET,
      }),
    ],
    [
      'a library that carries out the whole protocol, but neither loaded the script nor opened a channel',
      connected({ tls: withoutScript('undici'), http2: unavailableHttp2, followUp: false }),
    ],
    [
      'the same with a ticket of the day before',
      connected({
        tls: withoutScript('python'),
        http2: unavailableHttp2,
        followUp: false,
        proof: proof({ ticket: { state: 'expired', ageMs: 86_400_000 } }),
      }),
    ],
    ...(['unlike', 'missing'] as const).map((curves): [string, Identified] => [
      `a library that does all that a page does, with its channel, and whose curves are ${curves}`,
      connected({ tls: tlsOf('undici'), http2: unavailableHttp2, proof: proof({ curves }) }),
    ]),
    ...Object.entries(ON_IOS).map(([name, userAgent]): [string, Identified] => [
      `the same that claims to be ${name} on iOS`,
      connected({
        ...claiming(userAgent),
        tls: tlsOf('undici'),
        http2: unavailableHttp2,
        sent: UNDICI,
        proof: proof({ curves: 'missing' }),
      }),
    ]),
    [
      'a ticket that a browser got, with the body of a library',
      connected({
        tls: tlsOf('undici'),
        http2: unavailableHttp2,
        proof: proof({ ticket: { state: 'valid', clientChanged: true } }),
      }),
    ],
    [
      'the TLS of Chrome imitated, with an HTTP/2 of its own',
      connected({ http2: LATER_HTTP2, sent: OWN_ORDER }),
    ],
    [
      'everything of Chrome imitated, but the place of the length among the headers',
      connected({
        sent: {
          ...CHROMIUM_FETCH,
          names: [...without(CHROMIUM_FETCH, 'content-length').names, 'content-length'],
        },
      }),
    ],
    ['the TLS of Chrome imitated, with the headers of an opened page', connected({ sent: NAVIGATION })],
    [
      'the TLS of Chrome imitated, with the headers of a program and no ticket',
      connected({ sent: CURL_POST, proof: NO_TICKET }),
    ],
    [
      'a proxy reports the JA4 of curl, and there is no ticket',
      {
        ...identified({ proof: NO_TICKET }),
        network: {
          ...identified().network,
          tls: observed('proxy', { ja4: 't13d3112h2_e8f1e7e78f70_b26ce05bbdd6', version: '', alpn: '' }),
        },
      },
    ],
  ],
  clear: [
    ['Chrome', connected()],
    ['Chrome, measuring curves like nobody else', connected({ proof: proof({ curves: 'unlike' }) })],
    [
      'the same on a page that allows no channel, behind a program that takes fetch metadata away',
      connected({
        proof: proof({ curves: 'unlike' }),
        sent: without(CHROMIUM_FETCH, 'sec-fetch-site', 'sec-fetch-mode', 'sec-fetch-dest'),
        followUp: false,
      }),
    ],
    [
      'Firefox',
      connected({
        tls: tlsOf('firefox'),
        http2: http2Of('firefox'),
        sent: FIREFOX_FETCH,
        ...claiming(FIREFOX),
      }),
    ],
    [
      'Safari',
      connected({ tls: tlsOf('safari'), http2: http2Of('safari'), sent: FIREFOX_FETCH, ...claiming(SAFARI) }),
    ],
    [
      'a company gateway opens its own connection',
      connected({ tls: tlsOf('undici'), http2: unavailableHttp2 }),
    ],
    [
      'an antivirus program with TLS that nobody knows',
      connected({
        tls: observed('tls', {
          ja4: 't12d0907h1_000000000000_000000000000',
          version: 'TLSv1.2',
          alpn: 'http/1.1',
          hello: { grease: false, extensions: [0, 10, 11, 13, 16], groups: [23], protocols: ['http/1.1'] },
        }),
        http2: unavailableHttp2,
      }),
    ],
    [
      'a gateway that lets no channel through',
      connected({ tls: tlsOf('undici'), http2: unavailableHttp2, followUp: false }),
    ],
    [
      'a gateway that lets neither channel nor ticket through',
      connected({
        tls: tlsOf('undici'),
        http2: unavailableHttp2,
        followUp: false,
        proof: proof({ ticket: { state: 'missing' } }),
      }),
    ],
    [
      'a gateway in front of a page whose script came from a cache',
      connected({ tls: withoutScript('undici'), http2: unavailableHttp2 }),
    ],
    [
      'a laptop that went behind such a gateway between ticket and body',
      connected({
        tls: withoutScript('undici'),
        http2: unavailableHttp2,
        followUp: false,
        proof: proof({ ticket: { state: 'valid', addressChanged: true } }),
      }),
    ],
    [
      'Chrome itself, with a script from a cache on a page that allows no channel',
      connected({ tls: withoutScript('chromium'), followUp: false }),
    ],
    [
      'a gateway that speaks HTTP/2 in its own order',
      connected({ tls: tlsOf('go'), http2: http2Of('curl'), sent: OWN_ORDER }),
    ],
    [
      'a gateway, and an agent before tickets while few visits are known',
      connected({
        tls: tlsOf('undici'),
        http2: unavailableHttp2,
        proof: { ...NO_TICKET, expected: undefined },
      }),
    ],
    [
      'a version of Safari with the TLS and HTTP/2 of nobody known',
      connected({
        ...claiming(SAFARI),
        tls: tlsOf('firefox'),
        http2: observed('http', { fingerprint: '1:1|1|0|m,a,s,p' }),
        sent: FIREFOX_FETCH,
        proof: proof({ ticket: { state: 'valid', clientChanged: true } }),
      }),
    ],
    [
      'a gateway, and a page that was open for a day',
      connected({ tls: tlsOf('go'), proof: proof({ ticket: { state: 'expired', ageMs: 86_400_000 } }) }),
    ],
    [
      'a gateway, and a page that was left early',
      connected({ tls: tlsOf('go'), proof: proof({ ...NO_TICKET, interrupted: true }) }),
    ],
    [
      'a gateway, and a request for a ticket that failed',
      connected({ tls: tlsOf('go'), proof: proof({ ticket: { state: 'missing' } }) }),
    ],
    [
      'a later Chrome that announces another setting and orders its pseudo-headers anew',
      connected({ ...claiming(LATER_CHROME), http2: LATER_HTTP2, sent: ofLater(OWN_ORDER.names) }),
    ],
    [
      'a later Chrome that orders them as Firefox does, and without a session ticket',
      connected({
        ...claiming(LATER_CHROME),
        tls: tlsOf('safari'),
        http2: LATER_HTTP2,
        sent: ofLater([...FIREFOX_FETCH.names.slice(0, 4), ...CHROMIUM_FETCH.names.slice(4)]),
      }),
    ],
    ['Chrome with the user agent of Firefox', connected(claiming(FIREFOX))],
    ['Chrome with the user agent of Safari', connected(claiming(SAFARI))],
    [
      'a program that takes fetch metadata away',
      connected({ sent: without(CHROMIUM_FETCH, 'sec-fetch-site', 'sec-fetch-mode', 'sec-fetch-dest') }),
    ],
    ['a page whose policy allows no channel', connected({ followUp: false })],
    [
      'Chrome with the user agent of Firefox on such a page',
      connected({ ...claiming(FIREFOX), followUp: false }),
    ],
    ['a domain that no tickets reach', connected({ proof: { ...NO_TICKET, expected: false } })],
    ['Chrome over HTTP/1.1', connected({ tls: tlsOf('chromium'), http2: unavailableHttp2 })],
  ],
  unknown: [
    ['behind a proxy that ends TLS', identified()],
    [
      'an old Chrome by the TLS of another engine',
      connected({
        ...claiming(identified().request.userAgent.replace('156', '80')),
        tls: tlsOf('firefox'),
        proof: proof({ ticket: { state: 'missing' } }),
      }),
    ],
    [
      'an old browser',
      connected({
        tls: tlsOf('go'),
        ...claiming('Mozilla/5.0 (Windows NT 6.1; rv:52.0) Gecko/20100101 Firefox/52.0'),
        sent: FIREFOX_FETCH,
      }),
    ],
    ['a request without a page', { ...connected({ tls: tlsOf('curl'), sent: CURL_POST }), via: 'edge' }],
    ...Object.entries(ON_IOS).map(([name, userAgent]): [string, Identified] => [
      `${name} on iOS`,
      connected({
        ...claiming(userAgent),
        tls: tlsOf('safari'),
        http2: http2Of('safari'),
        sent: FIREFOX_FETCH,
      }),
    ]),
    [
      'Chrome on iOS behind a gateway, measuring curves as another version of the system does',
      connected({
        ...claiming(CHROME_ON_IPHONE),
        tls: tlsOf('undici'),
        http2: unavailableHttp2,
        sent: FIREFOX_FETCH,
        proof: proof({ curves: 'unlike' }),
      }),
    ],
    [
      'Chrome on an iOS of before TLS 1.3',
      connected({
        ...claiming(CHROME_ON_IPHONE.replace('26_2', '11_4')),
        tls: tlsOf('undici'),
        http2: unavailableHttp2,
        sent: FIREFOX_FETCH,
        proof: proof({ curves: 'missing' }),
      }),
    ],
    [
      'WebKit on Linux, whose TLS is that of its desktop',
      connected({
        tls: tlsOf('wget'),
        ...claiming(SAFARI.replace('Macintosh; Intel Mac OS X 10_15_7', 'X11; Linux x86_64')),
        sent: FIREFOX_FETCH,
      }),
    ],
  ],
})

test('the evidence names what the TLS showed, and the sum of points', () => {
  const answer = clientMismatch.test(
    connected({ tls: tlsOf('curl'), http2: http2Of('curl'), sent: CURL_POST }),
  )
  expect(answer).toMatchObject({
    description: 'Client mismatch (tls_of_library)',
    evidence: { tls_of_library: { claimed: 'Blink', tls: 'OpenSSL' }, points: expect.any(Number) },
  })
})

test('TLS that many proven visits with the same browser have is not unfamiliar', () => {
  const unfamiliar = { ja4: 't13d0101h2_000000000000_000000000000', version: 'TLSv1.3', alpn: 'h2' }
  const headersGone = without(CHROMIUM_FETCH, 'sec-fetch-site', 'sec-fetch-mode', 'sec-fetch-dest')
  const visit = (usual: boolean) =>
    connected({ tls: observed('tls', { ...unfamiliar, usual }), sent: headersGone })
  expect([false, true].map((usual) => clientMismatch.test(visit(usual)).answer)).toEqual(['hit', 'clear'])
})

test('TLS of another engine that many proven visits with the same browser have is not another browser', () => {
  const headersGone = without(CHROMIUM_FETCH, 'sec-fetch-site', 'sec-fetch-mode', 'sec-fetch-dest')
  const firefox = { ...HELLOS.firefox, version: 'TLSv1.3', alpn: 'h2' }
  const visit = (usual: boolean) =>
    connected({ tls: observed('tls', { ...firefox, usual }), sent: headersGone })
  expect([false, true].map((usual) => clientMismatch.test(visit(usual)).answer)).toEqual(['hit', 'clear'])
})

test('HTTP/2 that many proven visits with the same browser have is not unfamiliar', () => {
  const headersGone = without(CHROMIUM_FETCH, 'sec-fetch-site', 'sec-fetch-mode', 'sec-fetch-dest')
  const visit = (usual: true | undefined) =>
    connected({ http2: observed('http', { fingerprint: LATER_FINGERPRINT, usual }), sent: headersGone })
  expect([undefined, true as const].map((usual) => clientMismatch.test(visit(usual)).answer)).toEqual([
    'hit',
    'clear',
  ])
})
