import { READINGS, type ReadingName, type ReadingValues } from '@inkling/contract'
import type { Identified, IdentityDecision } from '../src/visit/identification.ts'
import {
  NO_CONNECTION_EVIDENCE,
  NO_FOLLOW_UP_EVIDENCE,
  NO_NETWORK_CHECK,
} from '../src/visit/network-evidence.ts'
import type { Proof } from '../src/visit/proof.ts'
import type { Fact, Readings } from '../src/visit/received.ts'

/** A fact as a browser reported it. */
export const value = <Value>(given: Value): Fact<Value> => ({ ok: true, value: given })
export const missing: Fact<never> = { ok: false, why: 'missing' }
const unsupported: Fact<never> = { ok: false, why: 'unsupported' }

export const readings = (given: { [Name in ReadingName]?: Fact<ReadingValues[Name]> } = {}): Readings => ({
  ...(Object.fromEntries(Object.keys(READINGS).map((name) => [name, missing])) as Readings),
  ...given,
})

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36'

/** Features of Chromium 156. */
const FEATURES = [
  'AbortSignal.any Array.fromAsync Array.prototype.at Array.prototype.findLast Array.prototype.toSorted',
  'ArrayBuffer.prototype.transfer Atomics.pause CSSContainerRule CSSFunctionDeclarations',
  'CSSLayerBlockRule CSSNestedDeclarations CSSPositionTryRule CSSPropertyRule CSSStartingStyleRule',
  'CloseWatcher Document.parseHTMLUnsafe Element.prototype.checkVisibility Element.prototype.moveBefore',
  'Element.prototype.pseudo Element.prototype.setHTML Element.prototype.startViewTransition',
  'Error.captureStackTrace Error.isError FinalizationRegistry HTMLElement.prototype.autocorrect',
  'HTMLElement.prototype.showPopover HTMLScriptElement.supports HTMLSelectElement.prototype.showPicker',
  'Highlight Intl.DurationFormat Intl.Segmenter Intl.supportedValuesOf Iterator Iterator.concat',
  'Iterator.prototype.includes Iterator.zip Map.groupBy Map.prototype.getOrInsert Math.f16round',
  'Math.sumPrecise Object.hasOwn Promise.try Promise.withResolvers RegExp.escape',
  'RegExp.prototype.unicodeSets Response.json Set.prototype.union String.prototype.isWellFormed',
  'String.prototype.replaceAll SuppressedError Temporal Uint8Array.fromBase64 URL.canParse URL.parse',
  'URLPattern ViewTransition WeakRef WebAssembly.JSTag WebAssembly.Suspending chrome navigation',
  'scheduler structuredClone trustedTypes',
].join(' ')

/** What an ordinary browser reports of itself with its body: all that an agent sends, so that nothing counts as missing. */
export const ordinaryReadings = (): Readings =>
  readings({
    user_agent: value(CHROME),
    platform: value('Win32'),
    screen: value({
      width: 1920,
      height: 1080,
      avail_width: 1920,
      avail_height: 1040,
      color_depth: 24,
      pixel_ratio: 1,
    }),
    timezone: value({ name: 'Europe/Berlin', offset_minutes: 60 }),
    languages: value({ language: 'de-DE', languages: ['de-DE', 'en'], locale: 'de-DE' }),
    hardware: value({ cores: 8, memory_gb: 8, max_touch_points: 0 }),
    raster: value({ glyphs: 'a1a1a1a1a1a1a1a1', shapes: 'b2b2b2b2b2b2b2b2', stable: true }),
    waveform: value({ synthesis: 'c3c3c3c3c3c3c3c3', resampling: 'd4d4d4d4d4d4d4d4', stable: true }),
    typefaces: value(['Arial', 'Calibri']),
    rounding: value('e5e5e5e5e5e5e5e5'),
    automation: value({ webdriver: false, markers: [] }),
    input: value({
      moves: 0,
      moves_before_click: null,
      clicks: 0,
      unfocused: 0,
      centred: 0,
      hold_ms: null,
      keys: 0,
      key_gap_ms: null,
    }),
    vendor: value({ vendor: 'Google Inc.', product_sub: '20030107' }),
    window: value({
      inner_width: 1920,
      inner_height: 945,
      outer_width: 1920,
      outer_height: 1040,
      screen_x: 0,
      screen_y: 0,
    }),
    frame: value({ nested: false, cross_origin: false }),
    storage: value({ cookies: true, local_storage: true, session_storage: true, indexed_db: true }),
    // Nothing that would make two visits of these tests look alike.
    connection: unsupported,
    client_hints: unsupported,
    permissions: unsupported,
    webgl: unsupported,
    preferences: unsupported,
    plugins: unsupported,
    missing_apis: value([]),
    inspector: value({ attached: false }),
    tampering: value([]),
    engine: value({
      features: FEATURES,
      eval_length: 33,
      error_style:
        'Invalid array length; Invalid count value: -1; URI malformed; Unexpected end of JSON input; Cannot convert a Symbol value to a number',
    }),
    codecs: value(['audio/mpeg', 'video/mp4; codecs="avc1.42E01E"', 'video/webm; codecs="vp9"']),
  })

/** Readings as a body has them. */
export const onWire = (given: Readings): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(given).flatMap(([name, fact]): [string, unknown][] => {
      if (fact.ok) return [[name, { value: fact.value }]]
      return fact.why === 'missing' ? [] : [[name, { error: fact.why }]]
    }),
  )

/** What an ordinary visit proves: a ticket of the same page, a moment ago, and a device key. */
export const proof = (given: Partial<Proof> = {}): Proof => ({
  ticket: { state: 'valid', ageMs: 400, addressChanged: false, clientChanged: false },
  body: 'bound',
  interrupted: false,
  key: { state: 'proven', id: '6f1d2c3b4a5968778695a4b3c2d1e0f0' },
  expected: true,
  ...given,
})

/** A returning visitor, known by the cookie. */
export const decision = (given: Partial<IdentityDecision> = {}): IdentityDecision => ({
  outcome: 'cookie',
  confidence: 0.999,
  agreed: [],
  changed: [],
  absent: [],
  clones: 1,
  devices: 3,
  candidates: 1,
  hardwareFlips: [],
  merged: undefined,
  ...given,
})

/** An ordinary visit: a German desktop on a German line. */
export const identified = (given: Partial<Identified> = {}): Identified => ({
  domain: { id: 1, name: 'shop.example', namespace: '5d1c9a3e-6a1d-4c1b-9f0e-1a2b3c4d5e6f' },
  requestId: '0b5a3f0c-8d8e-4f55-9d49-7a51f3c0f0aa',
  sessionId: '1b5a3f0c-8d8e-4f55-9d49-7a51f3c0f0aa',
  cookieId: '2b5a3f0c-8d8e-4f55-9d49-7a51f3c0f0aa',
  userHid: 'anonymous',
  host: 'shop.example',
  address: '91.0.0.1',
  atMs: Date.UTC(2026, 10, 20, 12),
  request: { userAgent: CHROME, acceptLanguage: 'de-DE,de;q=0.9' },
  network: { ...NO_CONNECTION_EVIDENCE, ...NO_FOLLOW_UP_EVIDENCE },
  followUp: false,
  late: undefined,
  landing: { url: 'https://shop.example/', referrer: '' },
  via: 'agent',
  readings: ordinaryReadings(),
  proof: proof(),
  body: JSON.stringify({ readings: onWire(given.readings ?? ordinaryReadings()) }),
  ip: {
    countryCode: 'DE',
    country: 'Germany',
    timeZones: ['Europe/Berlin'],
    asn: 3320,
    organization: 'Deutsche Telekom AG',
    class: 'residential',
    hosting: false,
    vpn: undefined,
    tor: undefined,
    privacyRelay: undefined,
    abuser: undefined,
    mobile: false,
  },
  client: {
    os: 'Windows',
    osVersion: '10',
    browser: 'Chrome',
    browserVersion: '156.0.0.0',
    browserMajor: 156,
    engine: 'Blink',
    deviceType: 'desktop',
    bot: undefined,
  },
  stack: { os: undefined, forged: false, mss: undefined, mtu: undefined, mtuHint: '' },
  check: NO_NETWORK_CHECK,
  headers: { contradictions: [], clear: [], unknown: [], rewritten: false },
  crawler: undefined,
  sticky: undefined,
  traffic: {
    channel: 'Direct',
    channelGroup: 'Direct',
    reason: 'no_source_detected',
    referrerDomain: '',
    landingUrl: 'https://shop.example/',
    clickIdType: '',
    utmSource: '',
    utmMedium: '',
    utmCampaign: '',
    utmContent: '',
    utmTerm: '',
  },
  identity: {
    deviceId: '7d3b1f52-8c4e-5a6b-9d0e-1f2a3b4c5d6e',
    visitorId: '9a7b6c5d-4e3f-5a1b-8c2d-3e4f5a6b7c8d',
    components: ['raster', 'waveform', 'typefaces'],
  },
  ...given,
})
