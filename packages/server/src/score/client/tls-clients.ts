import type { HelloFacts, TlsFacts } from '../../visit/network-evidence.ts'

/** Who wrote a ClientHello: an engine with its own TLS, or a library that no browser with a known engine uses. */
export type TlsClient = { engine: Engine } | { library: string } | 'other'

export type Engine = 'Blink' | 'Gecko' | 'WebKit'

interface Shape {
  client: TlsClient
  /** Whether it puts GREASE (RFC 8701) among ciphers and extensions. */
  grease: boolean
  /** Extensions that all its versions send. https://www.iana.org/assignments/tls-extensiontype-values */
  sends: readonly number[]
  never: readonly number[]
}

const STATUS_REQUEST = 5
const STATUS_REQUEST_V2 = 17
const CERTIFICATE_TIMESTAMP = 18
const ENCRYPT_THEN_MAC = 22
const EXTENDED_MASTER_SECRET = 23
const RECORD_SIZE_LIMIT = 28
const SESSION_TICKET = 35
const SUPPORTED_VERSIONS = 43
const PSK_MODES = 45
const POST_HANDSHAKE_AUTH = 49
const RENEGOTIATION_INFO = 65_281

/**
 * What tells the writers apart, by mechanism rather than by whole fingerprints, because browsers shuffle extensions,
 * resume sessions and change a cipher with a version. Order matters: the first match counts.
 *
 * | client | known from |
 * |---|---|
 * | Blink | Chromium 156 on Debian, measured 2026-11-22 |
 * | Gecko | Firefox ESR 153 on Debian, measured 2026-11-22 |
 * | WebKit | Safari 15.6 to 26, captures published with https://github.com/lexiforest/curl-impersonate, read 2026-11 |
 * | OpenSSL | curl 7.88, Node 20 and 26, Python 3 on Debian, measured 2026-11-22 |
 * | GnuTLS | wget 1.21 on Debian, measured 2026-11-22 |
 * | Java | the HTTP client of JDK 17, measured 2026-11-22 |
 * | Go | `handshake_messages.go` of https://github.com/golang/go, which has no session cache by default |
 * | rustls | `client/hs.rs` of https://github.com/rustls/rustls, which signals renegotiation by a cipher |
 */
const SHAPES: readonly Shape[] = [
  {
    client: { engine: 'Blink' },
    grease: true,
    // Without COMPRESS_CERTIFICATE and PSK_MODES, which TLS 1.2 has not.
    sends: [STATUS_REQUEST, CERTIFICATE_TIMESTAMP, SESSION_TICKET],
    never: [ENCRYPT_THEN_MAC, RECORD_SIZE_LIMIT, POST_HANDSHAKE_AUTH, STATUS_REQUEST_V2],
  },
  {
    client: { engine: 'WebKit' },
    grease: true,
    sends: [STATUS_REQUEST, CERTIFICATE_TIMESTAMP],
    never: [SESSION_TICKET, ENCRYPT_THEN_MAC, RECORD_SIZE_LIMIT, POST_HANDSHAKE_AUTH],
  },
  {
    client: { engine: 'Gecko' },
    grease: false,
    sends: [RECORD_SIZE_LIMIT, EXTENDED_MASTER_SECRET],
    // POST_HANDSHAKE_AUTH is a setting that users of client certificates turn on.
    never: [ENCRYPT_THEN_MAC, STATUS_REQUEST_V2],
  },
  {
    client: { library: 'GnuTLS' },
    grease: false,
    sends: [RECORD_SIZE_LIMIT, POST_HANDSHAKE_AUTH],
    never: [],
  },
  {
    client: { library: 'OpenSSL' },
    grease: false,
    sends: [ENCRYPT_THEN_MAC, EXTENDED_MASTER_SECRET],
    never: [],
  },
  { client: { library: 'Java' }, grease: false, sends: [STATUS_REQUEST_V2], never: [] },
  {
    client: { library: 'Go' },
    grease: false,
    sends: [SUPPORTED_VERSIONS, STATUS_REQUEST, CERTIFICATE_TIMESTAMP, RENEGOTIATION_INFO],
    never: [PSK_MODES, RECORD_SIZE_LIMIT],
  },
  {
    client: { library: 'rustls' },
    grease: false,
    sends: [SUPPORTED_VERSIONS, STATUS_REQUEST, EXTENDED_MASTER_SECRET],
    never: [RENEGOTIATION_INFO, CERTIFICATE_TIMESTAMP, RECORD_SIZE_LIMIT],
  },
]

/**
 * The cipher part of a JA4, for connections of which nothing else is known, as when a proxy reports it. The same
 * sources; the ones of Firefox, Safari, Go and rustls are published with many JA4 tools, such as
 * https://github.com/FoxIO-LLC/ja4/blob/main/README.md (the JA4 part, which is under the BSD licence).
 */
const CIPHERS: Readonly<Record<string, TlsClient>> = {
  '8daaf6152771': { engine: 'Blink' },
  '86a278354501': { engine: 'Gecko' },
  '5b57614c22b0': { engine: 'Gecko' },
  a09f3c656075: { engine: 'WebKit' },
  e8f1e7e78f70: { library: 'OpenSSL' },
  b262b3658495: { library: 'OpenSSL' },
  a33745022dd6: { library: 'OpenSSL' },
  '85036bcba153': { library: 'OpenSSL' },
  '723694b0fccc': { library: 'GnuTLS' },
  db35923f8641: { library: 'Java' },
  f57a46bbacb6: { library: 'Go' },
  '61a7ad8aa9b6': { library: 'rustls' },
}

/** The client that a connection's TLS shows; `other` where it is none of the known ones. */
export function tlsClient({ ja4, hello }: Pick<TlsFacts, 'ja4' | 'hello'>): TlsClient {
  if (hello) return SHAPES.find((shape) => matches(shape, hello))?.client ?? 'other'
  const ciphers = ja4.split('_')[1] ?? ''
  return (Object.hasOwn(CIPHERS, ciphers) ? CIPHERS[ciphers] : undefined) ?? 'other'
}

export const isEngine = (client: TlsClient): client is { engine: Engine } =>
  typeof client === 'object' && 'engine' in client

const matches = ({ grease, sends, never }: Shape, hello: HelloFacts): boolean =>
  grease === hello.grease &&
  sends.every((type) => hello.extensions.includes(type)) &&
  !never.some((type) => hello.extensions.includes(type))

interface KnownVersions {
  engine: Engine
  /** Its version in the user agent. */
  version: RegExp
  /** The first version of which the shape is known. */
  shapeSince: number
  /** The first version with TLS 1.3 (https://caniuse.com/tls1-3). None since then has used one of the libraries. */
  ownSince: number
}

/** WebKit on other systems than Apple's has TLS of their own. */
const VERSIONS: readonly KnownVersions[] = [
  { engine: 'Blink', version: /\b(?:Headless)?Chrome\/(\d+)/, shapeSince: 90, ownSince: 70 },
  { engine: 'Gecko', version: /\bFirefox\/(\d+)/, shapeSince: 100, ownSince: 63 },
  {
    engine: 'WebKit',
    version: /\b(?:Macintosh|iPhone|iPad)\b.*\bVersion\/(\d+)/,
    shapeSince: 16,
    ownSince: 14,
  },
]

/** The engine whose connections have a known shape; undefined where the claimed one is too old, or not known. */
export const knownEngine = (engine: string, userAgent: string): Engine | undefined =>
  engineSince('shapeSince', engine, userAgent)

/** The engine whose connections are of no library, whatever their shape; undefined as above. */
export const ownTlsEngine = (engine: string, userAgent: string): Engine | undefined =>
  engineSince('ownSince', engine, userAgent) ??
  (engine === 'WebKit' && isWebKitOfIos(userAgent) ? 'WebKit' : undefined)

const IOS = /\b(?:iPhone|iPad|iPod)\b.*\bOS (\d+)_.*\bAppleWebKit\/605\.1\.15\b/
/** With WebKit these exist on iOS alone, where they ask for desktop pages under the name of a Mac. */
const IOS_AS_MAC = /\bMacintosh\b.*\bAppleWebKit\/605\.1\.15\b.*\b(?:CriOS|FxiOS|GSA|OPT)\//
/** Of the system, whose version is that of its Safari. */
const OWN_SINCE_IOS = 14

/**
 * Whether it is a browser or an app on iOS, most of which name no version of WebKit. All load pages through WebKit's own
 * network process. Where the law lets other engines in, those bring BoringSSL or NSS, which are no library here.
 */
const isWebKitOfIos = (userAgent: string): boolean =>
  Number(IOS.exec(userAgent)?.[1]) >= OWN_SINCE_IOS || IOS_AS_MAC.test(userAgent)

function engineSince(
  since: 'shapeSince' | 'ownSince',
  claimed: string,
  userAgent: string,
): Engine | undefined {
  const known = VERSIONS.find(({ engine }) => engine === claimed)
  return known && Number(known.version.exec(userAgent)?.[1]) >= known[since] ? known.engine : undefined
}
