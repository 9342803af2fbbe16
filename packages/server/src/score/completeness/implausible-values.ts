import type { ReadingValues } from '@inkling/contract'
import type { Identified } from '../../visit/identification.ts'
import { valueIn } from '../define-signal.ts'
import { isLateReading } from '../follow-up-channel.ts'
import type { Indicator } from '../indicators.ts'
import { offsetOfZone } from '../time-zone-offsets.ts'

/**
 * Values that no engine produces, or not together. Each is weak: extensions put their own values into single readings,
 * and a new version of a browser may do what none did before. Two groups are needed for a verdict.
 */
export const implausibleValues = (identified: Identified): Indicator[] => [
  ...hashes(identified),
  ...time(identified),
  ...locale(identified),
  ...display(identified),
  ...hardware(identified),
  ...engine(identified),
  ...lists(identified),
]

const indicator = (group: string, name: string, points: number, evidence: unknown): Indicator => ({
  name,
  group,
  points,
  evidence,
})

/** The form of the agent's hashes (`sources/lib/hash.ts`), whatever was hashed. */
const HASH = /^[0-9a-f]{16}$/

function hashes({ readings: { raster, waveform, webgl, rounding } }: Identified): Indicator[] {
  const given = {
    glyphs: valueIn(raster)?.glyphs,
    shapes: valueIn(raster)?.shapes,
    synthesis: valueIn(waveform)?.synthesis,
    resampling: valueIn(waveform)?.resampling,
    parameters: valueIn(webgl)?.parameters,
    extensions: valueIn(webgl)?.extensions,
    rounding: valueIn(rounding),
  }
  const wrong = Object.entries(given)
    .filter(([, hash]) => hash !== undefined && !HASH.test(hash))
    .map(([name]) => name)
  return wrong.length === 0 ? [] : [indicator('hashes', 'hash_form', 25, wrong)]
}

/** Zones lie between these, in minutes east of UTC. https://www.iana.org/time-zones */
const OFFSET_MIN = -12 * 60
const OFFSET_MAX = 14 * 60
/** A browser's or the server's rules may be older than a change of the law, which moves a zone by an hour or so. */
const OFFSET_GAP_MIN = 120
const HALF_YEAR_MS = 182 * 86_400_000

function time({ readings, atMs, body }: Identified): Indicator[] {
  const found: Indicator[] = []
  const zone = valueIn(readings.timezone)
  if (zone && (zone.offset_minutes < OFFSET_MIN || zone.offset_minutes > OFFSET_MAX))
    found.push(indicator('time', 'offset_range', 25, zone))
  else if (zone && contradictsItself(zone, atMs)) found.push(indicator('time', 'offset_of_zone', 20, zone))
  // A source is given up after 300 ms at the earliest. Those of the channel take seconds, after the body.
  const durationMs = Number(/"duration_ms":(\d+)/.exec(body.slice(0, BODY_HEAD))?.[1])
  const timeouts = Object.entries(readings).filter(
    ([name, fact]) => !fact.ok && fact.why === 'timeout' && !isLateReading(name),
  ).length
  if (timeouts > 0 && durationMs < TIMEOUT_MS_MIN)
    found.push(indicator('time', 'timeouts_too_early', 25, { timeouts, duration_ms: durationMs }))
  return found
}

const TIMEOUT_MS_MIN = 250
/** The duration stands before the readings, after addresses of at most 8 KB. */
const BODY_HEAD = 12_000

/** In summer and winter time, because the visitor's clock may show another date. */
function contradictsItself({ name, offset_minutes }: ReadingValues['timezone'], atMs: number): boolean {
  const offsets = [atMs, atMs - HALF_YEAR_MS].map((time) => offsetOfZone(name, time))
  return offsets.every(
    (offset) => offset !== undefined && Math.abs(offset - offset_minutes) >= OFFSET_GAP_MIN,
  )
}

function locale({ readings }: Identified): Indicator[] {
  const languages = valueIn(readings.languages)
  if (!languages) return []
  const [first] = languages.languages
  // https://html.spec.whatwg.org/multipage/system-state.html#language-preferences
  const differs = first !== undefined && first.toLowerCase() !== languages.language.toLowerCase()
  return differs ? [indicator('locale', 'first_language', 5, languages)] : []
}

function display({ readings: { screen, frame } }: Identified): Indicator[] {
  const found: Indicator[] = []
  const size = valueIn(screen)
  if (
    size &&
    (size.pixel_ratio <= 0 || size.pixel_ratio > 30 || size.color_depth < 1 || size.color_depth > 64)
  )
    found.push(indicator('display', 'screen_range', 20, size))
  const framed = valueIn(frame)
  // A page that is not in a frame is its own top.
  if (framed?.cross_origin && !framed.nested) found.push(indicator('frame', 'frame_of_itself', 20, framed))
  return found
}

/** Powers of two, a quarter at least: https://www.w3.org/TR/device-memory/#computing-device-memory-value */
const isPowerOfTwo = (value: number): boolean => value >= 0.25 && Number.isInteger(Math.log2(value))

function hardware({ readings: { hardware: reading } }: Identified): Indicator[] {
  const machine = valueIn(reading)
  if (!machine) return []
  const { cores, memory_gb: memory } = machine
  const found: Indicator[] = []
  if (memory !== null && !isPowerOfTwo(memory)) found.push(indicator('hardware', 'memory_steps', 20, memory))
  if (cores === 0) found.push(indicator('hardware', 'no_cores', 15, cores))
  return found
}

/**
 * Constants of each engine. The length of `eval`'s text: https://tc39.es/ecma262/#prod-NativeFunction leaves it open.
 * The vendor: https://html.spec.whatwg.org/multipage/system-state.html#client-identification. The message is that of
 * `new Array(-1)`, the first of the agent's errors, as Chromium 156 and Firefox 153 word it.
 */
const CONSTANTS: Readonly<
  Record<string, { evalLength: number; vendor: string; productSub: string; error?: string }>
> = {
  Blink: { evalLength: 33, vendor: 'Google Inc.', productSub: '20030107', error: 'Invalid array length' },
  Gecko: { evalLength: 37, vendor: '', productSub: '20100101', error: 'invalid array length' },
  WebKit: { evalLength: 37, vendor: 'Apple Computer, Inc.', productSub: '20030107' },
}

/** All of them in one group, since a switched user agent contradicts all of them. */
function engine({ client, readings }: Identified): Indicator[] {
  const expected = Object.hasOwn(CONSTANTS, client.engine) ? CONSTANTS[client.engine] : undefined
  if (!expected) return []
  const found: Record<string, unknown> = {}
  const own = valueIn(readings.engine)
  const vendor = valueIn(readings.vendor)
  if (own && own.eval_length !== expected.evalLength) found.eval_length = own.eval_length
  const [message = ''] = own?.error_style.split(';') ?? []
  if (own && expected.error !== undefined && message !== expected.error) found.error_style = message
  // Other makers of browsers on Blink put their own name there.
  if (vendor && client.engine !== 'Blink' && vendor.vendor !== expected.vendor) found.vendor = vendor.vendor
  if (vendor && vendor.product_sub !== expected.productSub) found.product_sub = vendor.product_sub
  // https://developer.mozilla.org/docs/Web/API/Navigator/deviceMemory and userAgentData: Blink alone has them.
  if (client.engine !== 'Blink' && valueIn(readings.hardware)?.memory_gb) found.memory = true
  if (client.engine !== 'Blink' && readings.client_hints.ok) found.client_hints = true
  return Object.keys(found).length === 0
    ? []
    : [indicator('engine', 'engine_constants', 25, { claimed: client.engine, ...found })]
}

/** Lists that the agent sorts and never repeats, so that nothing in the browser can change their order. */
function lists({ readings: { typefaces, plugins } }: Identified): Indicator[] {
  const given = { typefaces: valueIn(typefaces), plugins: valueIn(plugins)?.names }
  const wrong = Object.entries(given).flatMap(([name, list]) => (list && !isSorted(list) ? [name] : []))
  return wrong.length === 0 ? [] : [indicator('lists', 'unsorted', 25, wrong)]
}

const isSorted = (list: readonly string[]): boolean =>
  list.every((name, index) => index === 0 || (list[index - 1] ?? '') <= name)
