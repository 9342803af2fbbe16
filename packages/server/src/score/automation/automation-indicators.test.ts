import { describe, expect, test } from 'vitest'
import { identified, ordinaryReadings, value } from '../../../test/identified.ts'
import { clientFacts } from '../../enrich/client-facts.ts'
import type { Readings } from '../../visit/received.ts'
import { reachesThreshold, totalPoints, WEAK_POINTS_MAX } from '../indicators.ts'
import { FEATURE_VERSIONS } from '../tampering/engine-versions.ts'
import { automationIndicators } from './automation-indicators.ts'

const TOP = value({ nested: false, cross_origin: false })
const sizes = (
  inner: [number, number],
  outer: [number, number],
  screen: [number, number],
): Partial<Readings> => ({
  frame: TOP,
  window: value({
    inner_width: inner[0],
    inner_height: inner[1],
    outer_width: outer[0],
    outer_height: outer[1],
    screen_x: 10,
    screen_y: 10,
  }),
  screen: value({
    width: screen[0],
    height: screen[1],
    avail_width: screen[0],
    avail_height: screen[1],
    color_depth: 24,
    pixel_ratio: 1,
  }),
})
const input = (given: object): Partial<Readings> => ({
  frame: TOP,
  input: value({
    moves: 40,
    moves_before_click: 40,
    clicks: 1,
    unfocused: 0,
    centred: 0,
    hold_ms: 80,
    keys: 0,
    key_gap_ms: null,
    ...given,
  }),
})

/** Each trace of an undeclared program by itself. */
const WEAK: Record<string, Partial<Readings>> = {
  inspector: { inspector: value({ attached: true }) },
  'DevTools that debug': { inspector: value({ attached: true, handler_share: 0.8 }) },
  'common page size in a larger window': sizes([800, 600], [945, 1060], [1920, 1080]),
  'window over its screen': sizes([1280, 720], [1288, 805], [1280, 720]),
  'page over its window': sizes([800, 600], [780, 580], [1920, 1080]),
  'program-like input': input({
    moves: 1,
    moves_before_click: 1,
    centred: 1,
    hold_ms: 0,
    keys: 26,
    key_gap_ms: 2,
  }),
  'taps and typed passwords': input({ hold_ms: 2, keys: 20, key_gap_ms: 1 }),
  'clicks without focus': input({ unfocused: 1 }),
  'webdriver replaced': { tampering: value(['Navigator.webdriver:text']) },
}
const PRIVATE: Partial<Readings> = { private_mode: value({ files: 'ok', write_ms: 0.4, flush_ratio: 1 }) }
const indicatorsOf = (...given: Partial<Readings>[]) =>
  automationIndicators(identified({ readings: Object.assign(ordinaryReadings(), ...given) }))

test.each(Object.entries(WEAK))('%s alone is an indicator, but no verdict', (_, readings) => {
  const indicators = indicatorsOf(readings)
  expect(indicators).toHaveLength(1)
  expect(totalPoints(indicators)).toBeLessThanOrEqual(WEAK_POINTS_MAX)
  expect(reachesThreshold(indicators)).toBe(false)
})

describe('together', () => {
  test.each<[string, (keyof typeof WEAK)[], boolean]>([
    ['Puppeteer without its flags', ['inspector', 'common page size in a larger window'], true],
    ['a tool that hides its debugger', ['common page size in a larger window', 'program-like input'], true],
    ['a patched driver that fills in forms', ['inspector', 'program-like input'], true],
    ['clicks by a debugger in the background', ['clicks without focus', 'webdriver replaced'], true],
    ['DevTools that show another device', ['inspector', 'window over its screen'], false],
  ])('%s: %s', (_, names, verdict) => {
    expect(reachesThreshold(indicatorsOf(...names.map((name) => WEAK[name] ?? {})))).toBe(verdict)
  })

  test('without readings there is no indicator', () => {
    expect(indicatorsOf()).toEqual([])
  })
})

describe('in a private window', () => {
  test.each<[string, (keyof typeof WEAK)[], boolean]>([
    ['nothing else', [], false],
    ['a tool that gives its page a screen', ['window over its screen'], true],
    ['a developer whose password manager types', ['inspector', 'taps and typed passwords'], false],
    ['voice control', ['program-like input'], false],
  ])('%s: %s', (_, names, verdict) => {
    expect(reachesThreshold(indicatorsOf(PRIVATE, ...names.map((name) => WEAK[name] ?? {})))).toBe(verdict)
  })

  // The 5 points of the window and those of the page's size would be a verdict together.
  test('whoever dictates into a tiled window is no program', () => {
    const tiled = sizes([700, 500], [945, 1060], [1920, 1080])
    const found = indicatorsOf(PRIVATE, tiled, WEAK['program-like input'] ?? {})
    expect(found.map(({ name }) => name)).toContain('page_misfit')
    expect(reachesThreshold(found)).toBe(false)
  })
})

test.each<[string, Partial<Readings>]>([
  ['webdriver', { automation: value({ webdriver: true, markers: [] }) }],
  ['markers', { automation: value({ webdriver: false, markers: ['cdc_adoQpoasnfa76pfcZLmcfl_Array'] }) }],
  [
    'markers',
    { automation: value({ webdriver: false, markers: ['document.$cdc_asdjflasutopfhvcZLmcfl_'] }) },
  ],
])('%s alone is a verdict', (name, readings) => {
  expect(indicatorsOf(readings)).toMatchObject([{ name, points: 60 }])
})

test("globals of a page that begin like ChromeDriver's are nothing, from agents in caches either", () => {
  const markers = ['cdc_ajax_object', 'cdc_checkout_fields_of_the_shop_page', 'document.$cdc_data']
  expect(indicatorsOf({ automation: value({ webdriver: false, markers }) })).toEqual([])
})

describe('without navigator.webdriver', () => {
  const firefox = (version: number) =>
    `Mozilla/5.0 (X11; Linux x86_64; rv:${version}.0) Gecko/20100101 Firefox/${version}.0`
  const featuresOf = (version: number): string =>
    Object.entries(FEATURE_VERSIONS)
      .flatMap(([name, [, since]]) => (since > 0 && since <= version ? [name] : []))
      .concat('mozInnerScreenX')
      .join(' ')
  const found = (userAgent: string, features: string, sign: string) =>
    automationIndicators(
      identified({
        client: clientFacts({ userAgent }),
        readings: {
          ...ordinaryReadings(),
          user_agent: value(userAgent),
          tampering: value([sign]),
          engine: value({ features, eval_length: 37, error_style: '' }),
        },
      }),
    ).find(({ name }) => name === 'webdriver_replaced')

  test('Firefox is driven by a program that took it out', () => {
    expect(found(firefox(153), featuresOf(153), 'Navigator.webdriver:missing')?.points).toBe(30)
  })

  test.each<[string, string, string, string]>([
    ['Firefox whose getter an extension replaced', firefox(153), featuresOf(153), 'Navigator.webdriver:text'],
    ['a value of a script', firefox(153), featuresOf(153), 'navigator.webdriver:own'],
    ['an older engine under the name', firefox(128), featuresOf(60), 'Navigator.webdriver:missing'],
    ['a version with too few features', firefox(91), featuresOf(91), 'Navigator.webdriver:missing'],
    ['a program that embeds Chromium', identified().request.userAgent, '', 'Navigator.webdriver:missing'],
  ])('no verdict: %s', (_, userAgent, features, sign) => {
    expect(found(userAgent, features, sign)?.points).toBe(25)
  })
})
