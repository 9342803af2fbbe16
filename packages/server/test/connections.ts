import { headerConsistency } from '../src/enrich/header-consistency.ts'
import type { Identified } from '../src/visit/identification.ts'
import {
  type HeaderFacts,
  type HelloFacts,
  type NetworkEvidence,
  observed,
  unavailable,
} from '../src/visit/network-evidence.ts'
import { identified } from './identified.ts'

/** ClientHellos as they were measured; GREASE values are left out of the lists. */
export const HELLOS = {
  chromium: {
    ja4: 't13d1517h2_8daaf6152771_cb7bf5808d99',
    hello: {
      grease: true,
      extensions: [0, 5, 10, 11, 13, 16, 18, 23, 27, 35, 43, 45, 51, 17_613, 65_037, 65_281],
      groups: [4588, 29, 23, 24],
      protocols: ['h2', 'http/1.1'],
    },
  },
  firefox: {
    ja4: 't13d1617h2_86a278354501_3cbfd9057e0d',
    hello: {
      grease: false,
      extensions: [0, 23, 65_281, 10, 11, 35, 16, 5, 34, 18, 51, 43, 13, 45, 28, 27, 65_037],
      groups: [4588, 29, 23, 24, 25, 256, 257],
      protocols: ['h2', 'http/1.1'],
    },
  },
  safari: {
    ja4: 't13d2014h2_a09f3c656075_7f0f34a4126d',
    hello: {
      grease: true,
      extensions: [0, 23, 65_281, 10, 11, 16, 5, 13, 18, 51, 45, 43, 27, 21],
      groups: [29, 23, 24, 25],
      protocols: ['h2', 'http/1.1'],
    },
  },
  curl: {
    ja4: 't13d3112h2_e8f1e7e78f70_b26ce05bbdd6',
    hello: {
      grease: false,
      extensions: [0, 11, 10, 16, 22, 23, 49, 13, 43, 45, 51, 21],
      groups: [29, 23, 30, 25, 24, 256, 257, 258, 259, 260],
      protocols: ['h2', 'http/1.1'],
    },
  },
  undici: {
    ja4: 't13d5212h1_b262b3658495_8e6e362c5eac',
    hello: {
      grease: false,
      extensions: [65_281, 0, 11, 10, 35, 16, 22, 23, 13, 43, 45, 51],
      groups: [4588, 29, 23, 30, 24, 25, 256, 257],
      protocols: ['http/1.1', 'h2'],
    },
  },
  python: {
    ja4: 't13d1812h1_85036bcba153_b26ce05bbdd6',
    hello: {
      grease: false,
      extensions: [0, 11, 10, 16, 22, 23, 49, 13, 43, 45, 51, 21],
      groups: [29, 23, 30, 25, 24, 256, 257, 258, 259, 260],
      protocols: ['http/1.1'],
    },
  },
  java: {
    ja4: 't13d3713h2_db35923f8641_7c76daad20ec',
    hello: {
      grease: false,
      extensions: [0, 5, 10, 11, 16, 17, 23, 35, 13, 43, 45, 50, 51],
      groups: [29, 23, 24, 25, 30, 256, 257, 258, 259, 260],
      protocols: ['h2', 'http/1.1'],
    },
  },
  wget: {
    ja4: 't13d291300_723694b0fccc_899037bd0b8c',
    hello: {
      grease: false,
      extensions: [5, 10, 11, 13, 35, 51, 43, 49, 65_281, 0, 45, 28, 21],
      groups: [23, 24, 25, 29, 30, 256, 257, 258, 259, 260],
      protocols: [],
    },
  },
  go: {
    ja4: 't13d1311h2_f57a46bbacb6_e5728521abd4',
    hello: {
      grease: false,
      extensions: [0, 5, 10, 11, 13, 65_281, 23, 16, 18, 43, 51],
      groups: [4588, 29, 23, 24, 25],
      protocols: ['h2', 'http/1.1'],
    },
  },
} as const satisfies Record<string, { ja4: string; hello: HelloFacts }>

/** TLS as the named client opens it. */
export const tlsOf = (client: keyof typeof HELLOS): NetworkEvidence['tls'] =>
  observed('tls', { ...HELLOS[client], version: 'TLSv1.3', alpn: 'h2', helloGapMs: 5 })

const HTTP2 = {
  chromium: '1:65536;2:0;4:6291456;6:262144|15663105|0|m,a,s,p',
  firefox: '1:65536;2:0;4:131072;5:16384|12517377|0|m,p,a,s',
  safari: '2:0;3:100;4:2097152;9:1|10420225|0|m,s,a,p',
  curl: '3:100;4:33554432;2:0|33488897|0|m,p,s,a',
} as const

export const http2Of = (client: keyof typeof HTTP2): NetworkEvidence['http2'] =>
  observed('http', { fingerprint: HTTP2[client] })

/** The headers with which Chromium 156 posts a body by `fetch` over HTTP/2. */
export const CHROMIUM_FETCH: HeaderFacts = {
  httpVersion: '2.0',
  names: [
    ...[':method', ':authority', ':scheme', ':path', 'content-length', 'sec-ch-ua-platform', 'user-agent'],
    ...[
      'sec-ch-ua',
      'content-type',
      'sec-ch-ua-mobile',
      'accept',
      'origin',
      'sec-fetch-site',
      'sec-fetch-mode',
    ],
    ...['sec-fetch-dest', 'referer', 'accept-encoding', 'accept-language', 'priority'],
  ],
  acceptLanguage: 'de-DE,de;q=0.9',
  clientHintPlatform: 'Windows',
  clientHintBrands: '"Not:A-Brand";v="8", "Chromium";v="156", "Google Chrome";v="156"',
  fetchMetadata: 'cross-site/cors/empty',
  accept: '*/*',
}

/** What curl sends with a user agent, an origin and a body. */
export const CURL_POST: HeaderFacts = {
  httpVersion: '2.0',
  names: [
    ':method',
    ':path',
    ':scheme',
    ':authority',
    'user-agent',
    'accept',
    'origin',
    'content-length',
    'content-type',
  ],
  acceptLanguage: '',
  clientHintPlatform: '',
  clientHintBrands: '',
  fetchMetadata: '//',
  accept: '*/*',
}

interface Connected extends Partial<Identified> {
  tls?: NetworkEvidence['tls']
  http2?: NetworkEvidence['http2']
  sent?: HeaderFacts
}

/** An ordinary visit by Chrome over TLS that ends at the server, some of it replaced. */
export function connected({
  tls = tlsOf('chromium'),
  http2 = http2Of('chromium'),
  sent = CHROMIUM_FETCH,
  ...given
}: Connected = {}): Identified {
  const visit = identified({ followUp: true, ...given })
  const { followUp } = visit
  const headers = observed('http', sent)
  return {
    ...visit,
    network: {
      ...visit.network,
      tls,
      http2,
      headers,
      // As where all other visits of the domain open a channel.
      roundTrip: unavailable(followUp ? 'pending' : 'never_opened'),
    },
    headers: headerConsistency(headers, {
      userAgent: visit.request.userAgent,
      engine: visit.client.engine,
      readings: visit.readings,
      secure: tls.available,
    }),
  }
}
