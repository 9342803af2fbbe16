import { describe, expect, test } from 'vitest'
import { decision, identified, missing, ordinaryReadings, value } from '../../../test/identified.ts'
import type { IdentityDecision } from '../../visit/identification.ts'
import type { Readings } from '../../visit/received.ts'
import { reachesThreshold, totalPoints, WEAK_POINTS_MAX } from '../indicators.ts'
import { headerIndicators, tamperingIndicators } from './tampering-indicators.ts'

const TOP = value({ nested: false, cross_origin: false })
const RENDERER = 'ANGLE (NVIDIA, NVIDIA GeForce RTX 4060 Direct3D11 vs_5_0 ps_5_0, D3D11)'
const CHROME = identified().request.userAgent

const realm = (given: Partial<Extract<Readings['worker'], { ok: true }>['value']> = {}) => ({
  user_agent: CHROME,
  platform: 'Win32',
  languages: ['de-DE', 'en'],
  cores: 8,
  memory_gb: 8,
  timezone: 'Europe/Berlin',
  webgl_renderer: RENDERER,
  ...given,
})
const webgl = (renderer: string): Partial<Readings> => ({
  webgl: value({
    vendor: 'WebKit',
    renderer: 'WebKit WebGL',
    unmasked_vendor: 'Google Inc.',
    unmasked_renderer: renderer,
    version: '',
    shading_language: '',
    parameters: '',
    extensions: '',
  }),
})
const inWorker = (given: Parameters<typeof realm>[0]): Partial<Readings> => ({
  ...webgl(RENDERER),
  worker: value(realm(given)),
})
const natives = (...signs: string[]): Partial<Readings> => ({ tampering: value(signs) })
const permissions = (notifications: string, api: string): Partial<Readings> => ({
  frame: TOP,
  permissions: value({ notifications, notification_api: api }),
})

const MAC =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.2 Safari/605.1.15'

const indicatorsOf = (...given: Partial<Readings>[]) =>
  tamperingIndicators(identified({ readings: Object.assign(ordinaryReadings(), ...given) }))

describe('consistent browsers', () => {
  test.each<[string, Partial<Readings>]>([
    ['nothing known', {}],
    ['a worker that says the same', inWorker({})],
    ['a worker without GPU and memory', inWorker({ webgl_renderer: null, memory_gb: null })],
    [
      'an empty frame that says the same',
      { iframe: value({ ...realm({ webgl_renderer: null }), webdriver: false }) },
    ],
    [
      'a page that wraps methods in the open',
      natives('HTMLCanvasElement.getContext:text', 'Function.toString:text'),
    ],
    ['a property that a forger gains nothing from', natives('navigator.globalPrivacyControl:own')],
    ['notifications not asked for yet', permissions('prompt', 'default')],
    ['notifications blocked', permissions('denied', 'denied')],
    ['a private window', permissions('prompt', 'denied')],
  ])('%s', (_, readings) => {
    expect(indicatorsOf(readings)).toEqual([])
  })
})

const SWITCHED: Partial<Readings> = { platform: value('Linux x86_64') }
const returning = (given: Partial<IdentityDecision>, ...facts: Partial<Readings>[]) =>
  tamperingIndicators(
    identified({
      readings: Object.assign(ordinaryReadings(), ...facts),
      identity: { ...identified().identity, decision: decision(given) },
    }),
  )

describe('hardware that is not what it was', () => {
  test.each<[string, string, Partial<IdentityDecision>, Partial<Readings>[]]>([
    [
      'a visitor whose extension names another system now',
      'identity',
      { hardwareFlips: ['machine', 'gpu'], isOtherFamily: true },
      [SWITCHED],
    ],
    [
      'Brave after a restart, with an extension that asks for other languages',
      'reduction',
      { hardwareFlips: ['machine', 'model'] },
      [inWorker({ languages: ['en-US'] })],
    ],
    [
      'a browser whose drawings have noise, and which names another card each time',
      'reduction',
      { hardwareFlips: ['machine', 'gpu'] },
      [SWITCHED, { raster: value({ glyphs: '', shapes: '', stable: false }) }],
    ],
    [
      'a canvas blocker that blurs the cores, and a user-agent switcher',
      'reduction',
      { hardwareFlips: ['machine'] },
      [SWITCHED, natives('Navigator.hardwareConcurrency:proxy')],
    ],
    [
      'a laptop on its other graphics card, with a user-agent switcher',
      'reduction',
      { hardwareFlips: ['gpu'] },
      [SWITCHED],
    ],
  ])('no verdict: %s', (_, group, decision, facts) => {
    const found = returning(decision, ...facts)
    expect(found.filter(({ name }) => name === 'hardware_changed')).toMatchObject([{ group }])
    expect(totalPoints(found)).toBeLessThanOrEqual(WEAK_POINTS_MAX)
  })

  test('a cookie on another machine, whose browser names another system than it has, is a verdict', () => {
    expect(reachesThreshold(returning({ hardwareFlips: ['machine', 'gpu'] }, SWITCHED))).toBe(true)
  })
})

/** Innocent causes. None of them may be enough for a verdict. */
const CAUSES: Record<string, Partial<Readings>> = {
  'a user-agent switcher': {
    ...inWorker({
      user_agent: CHROME.replace('Windows NT 10.0; Win64; x64', 'X11; Linux x86_64'),
      platform: 'Linux',
    }),
    ...natives('navigator.userAgent:own', 'navigator.platform:own', 'Navigator.vendor:text'),
    platform: value('Linux x86_64'),
  },
  'an extension that blurs hardware and canvas': {
    ...inWorker({ cores: 2, memory_gb: 4 }),
    ...natives('Navigator.hardwareConcurrency:proxy', 'CanvasRenderingContext2D.getImageData:proxy'),
  },
  'an extension that hides the graphics card': natives('WebGLRenderingContext.getParameter:proxy'),
  'an extension that moves the clock': {
    ...inWorker({ timezone: 'Asia/Tokyo' }),
    ...natives('Date.getTimezoneOffset:proxy'),
  },
  'another language in the page': inWorker({ languages: ['en-US'] }),
  'a replaced toString that hides': natives('Function.toString:proxy'),
  'patched permissions': permissions('denied', 'default'),
}

test.each(Object.entries(CAUSES))('%s alone is no verdict', (_, readings) => {
  const indicators = indicatorsOf(readings)
  expect(indicators).not.toEqual([])
  expect(totalPoints(indicators)).toBeLessThanOrEqual(WEAK_POINTS_MAX)
})

test('privacy extensions that blur hardware, canvas and graphics are no verdict', () => {
  const blurred = CAUSES['an extension that blurs hardware and canvas'] ?? {}
  const signs = [
    'Navigator.hardwareConcurrency:proxy',
    'WebGL2RenderingContext.getParameter:proxy',
    'AudioBuffer.getChannelData:proxy',
  ]
  expect(reachesThreshold(indicatorsOf(blurred, natives(...signs)))).toBe(false)
})

test('a user-agent switcher and a canvas blocker that hides itself are no verdict', () => {
  const { tampering: switched, ...switcher } = CAUSES['a user-agent switcher'] ?? {}
  const signs = [
    ...(switched?.ok ? switched.value : []),
    'HTMLCanvasElement.toDataURL:proxy',
    'WebGLRenderingContext.getParameter:proxy',
    'Function.toString:proxy',
  ]
  const indicators = indicatorsOf(switcher, natives(...signs))
  expect(indicators.map(({ group }) => group)).toContain('reduction')
  expect(reachesThreshold(indicators)).toBe(false)
})

test('a built-in that looks native in the page alone counts like one that shows in the page', () => {
  const iframe = value({
    ...realm({ webgl_renderer: null }),
    webdriver: false,
    disguised: ['Navigator.platform:frame', 'CanvasRenderingContext2D.getImageData:frame'],
  })
  const found = indicatorsOf({ iframe })
  expect(found.map(({ name, group }) => [name, group])).toEqual([
    ['native_lies', 'identity'],
    ['native_lies', 'reduction'],
  ])
  expect(reachesThreshold(found)).toBe(false)
})

describe('spoofers', () => {
  test('one that replaces many built-ins but not those of the worker', () => {
    const indicators = indicatorsOf(
      inWorker({ platform: 'Linux x86_64', cores: 2, webgl_renderer: 'llvmpipe' }),
      natives('Navigator.languages:proxy', 'Permissions.query:proxy', 'Function.toString:proxy'),
      permissions('denied', 'default'),
    )
    expect(reachesThreshold(indicators)).toBe(true)
    expect(indicators[0]).toMatchObject({
      name: 'worker_mismatch',
      group: 'identity',
      evidence: [{ fact: 'platform', page: 'Win32', worker: 'Linux x86_64' }],
    })
  })

  test('one that fakes another machine', () => {
    expect(
      reachesThreshold(
        indicatorsOf(
          inWorker({ platform: 'Linux x86_64', languages: ['en-US', 'en'], cores: 2, memory_gb: 16 }),
        ),
      ),
    ).toBe(true)
  })
})

describe('contradictions in the claimed browser', () => {
  const LINUX =
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36'
  const brands = (version: string, platform: string): Partial<Readings> => ({
    client_hints: value({ brands: [{ brand: 'Chromium', version }], mobile: false, platform }),
  })
  const engine = (eval_length: number): Partial<Readings> => ({
    engine: value({ features: '', eval_length, error_style: '' }),
  })

  test.each<[string, string, Partial<Readings>]>([
    ['platform_mismatch', 'Windows on a Linux platform', { platform: value('Linux x86_64') }],
    [
      'platform_mismatch',
      'Windows with the graphics of a Mac',
      webgl('ANGLE (Apple, ANGLE Metal Renderer: Apple M1)'),
    ],
    ['client_hints_mismatch', 'another version in the hints', brands('147', 'Windows')],
    ['client_hints_mismatch', 'another system in the hints', brands('156', 'macOS')],
    ['engine_mismatch', 'the engine of Firefox under the name of Chrome', engine(37)],
    ['engine_mismatch', 'an engine without what the version has', engine(33)],
  ])('%s: %s', (name, _, readings) => {
    expect(indicatorsOf(readings)).toMatchObject([{ name, group: 'identity' }])
  })

  test.each<[string, Partial<Readings>]>([
    ['Windows with Direct3D', webgl(RENDERER)],
    ['Windows on a software renderer', webgl('Google SwiftShader')],
    ['client hints that agree', brands('156', 'Windows')],
    [
      'client hints of a browser that hides them',
      { client_hints: value({ brands: [], mobile: false, platform: '' }) },
    ],
    [
      "Linux on Apple's processor",
      {
        user_agent: value(LINUX),
        platform: value('Linux aarch64'),
        ...brands('156', 'Linux'),
        ...webgl('ANGLE (Apple, Apple M1 (G13G B0), OpenGL 4.6 Mesa)'),
      },
    ],
    [
      'an iPad that asks for desktop pages',
      {
        user_agent: value(
          'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.2 Safari/605.1.15',
        ),
        platform: value('iPad'),
        hardware: value({ cores: 4, memory_gb: null, max_touch_points: 5 }),
        client_hints: missing,
        engine: missing,
      },
    ],
    ...(['iPad', 'iPhone'] as const).map((device): [string, Partial<Readings>] => [
      `an ${device} that names a Mac to a page for desktops, and itself in a worker`,
      {
        user_agent: value(MAC),
        platform: value('MacIntel'),
        hardware: value({ cores: 4, memory_gb: null, max_touch_points: 5 }),
        client_hints: missing,
        engine: missing,
        worker: value(
          realm({ user_agent: MAC, platform: device, cores: 4, memory_gb: null, webgl_renderer: null }),
        ),
      },
    ]),
  ])('none in %s', (_, readings) => {
    expect(indicatorsOf(readings)).toEqual([])
  })
})

const contradicting = (...names: ('user_agent' | 'fetch_order' | 'name_case' | 'language')[]) =>
  headerIndicators(
    identified({
      headers: {
        contradictions: names.map((name) => ({ name, evidence: { header: 'a', script: 'b' } })),
        clear: [],
        unknown: [],
        rewritten: false,
      },
    }),
  )

test('a request that matches the page gives no indicator', () => {
  expect(contradicting()).toEqual([])
})

test('a changed user agent contradicts its engine’s header order as well: one cause, so no verdict', () => {
  const indicators = contradicting('user_agent', 'fetch_order')
  expect(indicators.map(({ group }) => group)).toEqual(['identity', 'identity'])
  expect(reachesThreshold(indicators)).toBe(false)
})

test('rewritten headers are no verdict either', () => {
  expect(reachesThreshold(contradicting('name_case'))).toBe(false)
})

test('two causes are a verdict', () => {
  expect(reachesThreshold(contradicting('user_agent', 'language'))).toBe(true)
})
