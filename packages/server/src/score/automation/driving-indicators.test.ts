import type { ReadingValues } from '@inkling/contract'
import { describe, expect, test } from 'vitest'
import { identified, missing, ordinaryReadings, value } from '../../../test/identified.ts'
import { reachesThreshold, totalPoints } from '../indicators.ts'
import { automationIndicators } from './automation-indicators.ts'

type Traces = ReadingValues['input_traces']

/** A hand on a mouse and a keyboard under X11: whole pixels, stamps of one clock, frames with several moves. */
const HAND: Traces = {
  flat: 0,
  batched: 31,
  quarters: 0,
  subpixels: 0,
  off_grid: 0,
  odd_stamps: 0,
  repaired: 0,
  keys: 40,
  characters: 30,
  insertions: 0,
  capitals: 0,
}

interface Setup {
  os?: string
  engine?: string
  nested?: boolean
  device?: 'desktop' | 'mobile'
  scale?: number
  moves?: number
  others?: object
}

const indicatorsOf = (
  traces: Partial<Traces>,
  {
    os = 'Linux',
    engine = 'Blink',
    nested = false,
    device = 'desktop',
    scale = 1,
    moves = 120,
    others = {},
  }: Setup = {},
) =>
  automationIndicators(
    identified({
      client: { ...identified().client, os, engine, deviceType: device },
      readings: {
        ...ordinaryReadings(),
        frame: value({ nested, cross_origin: nested }),
        screen: value({
          width: 1920,
          height: 1080,
          avail_width: 1920,
          avail_height: 1040,
          color_depth: 24,
          pixel_ratio: scale,
        }),
        input_traces: value({ ...HAND, ...traces }),
        input: value({
          moves,
          moves_before_click: 40,
          clicks: 3,
          unfocused: 0,
          centred: 0,
          hold_ms: 90,
          keys: 39,
          key_gap_ms: 140,
        }),
        ...others,
      },
    }),
  )

const NO_PRESSURE: Partial<Traces> = { flat: 3 }
const CURVES: Partial<Traces> = { off_grid: 90, subpixels: 8 }
const CENTRES: Partial<Traces> = { quarters: 6, subpixels: 3 }
const OWN_CLOCK: Partial<Traces> = { odd_stamps: 60 }
const ONE_MOVE_PER_FRAME: Partial<Traces> = { batched: 0 }
const TOUCH = { hardware: value({ cores: 8, memory_gb: 8, max_touch_points: 10 }) }
const REPAIRED: Partial<Traces> = { repaired: 100 }
const CAPITALS: Partial<Traces> = { capitals: 2 }
const INSERTED: Partial<Traces> = { insertions: 2 }
const READS = { inspector: value({ attached: true, handler_share: 0.04 }) }
const EMULATED = {
  window: value({
    inner_width: 1920,
    inner_height: 1080,
    outer_width: 1928,
    outer_height: 1165,
    screen_x: 0,
    screen_y: 0,
  }),
}
const HASTY = {
  input: value({
    moves: 1,
    moves_before_click: 1,
    clicks: 1,
    unfocused: 0,
    centred: 1,
    hold_ms: 0.2,
    keys: 26,
    key_gap_ms: 2,
  }),
}
const BARE_CHARACTERS: Partial<Traces> = { characters: 30, keys: 0 }

describe('a fact alone shows, and is no verdict', () => {
  test.each<[string, string, Partial<Traces>]>([
    ['no_pressure', 'presses of a debugging protocol', NO_PRESSURE],
    ['off_grid', 'curves of a library', CURVES],
    ['quarter_pixels', 'centres of boxes', CENTRES],
    ['stamps', "the browser's own clock", OWN_CLOCK],
    ['one_move_per_frame', 'a move at a time, as VNC sends them', ONE_MOVE_PER_FRAME],
    ['no_bars', 'repaired positions on the screen', REPAIRED],
    ['bare_capitals', 'capitals without shift', CAPITALS],
    ['inserted_text', 'dictation', INSERTED],
    ['characters_without_keys', 'characters without keys', BARE_CHARACTERS],
  ])('%s: %s', (name, _, traces) => {
    const indicators = indicatorsOf(traces)
    expect(indicators).toMatchObject([{ name: 'driven_input', evidence: { facts: [name] } }])
    expect(reachesThreshold(indicators)).toBe(false)
  })
})

test('a reader of the console that debugs nothing shows, and is no verdict in a private window either', () => {
  const indicators = indicatorsOf({}, { others: READS })
  expect(indicators).toMatchObject([{ name: 'driven_input', evidence: { facts: ['console_reader'] } }])
  const PRIVATE = { private_mode: value({ files: 'ok', write_ms: 0.4, flush_ratio: 1 }) }
  expect(reachesThreshold(indicatorsOf({}, { others: { ...READS, ...PRIVATE } }))).toBe(false)
})

describe('programs', () => {
  test.each<[string, Partial<Traces>, Setup?]>([
    ['clicks of the DevTools protocol, with its clock', { ...NO_PRESSURE, ...OWN_CLOCK }, { moves: 3 }],
    ['the same along curves', { ...NO_PRESSURE, ...CURVES }],
    ['the same on Windows, a move per frame', { ...NO_PRESSURE, ...ONE_MOVE_PER_FRAME }, { os: 'Windows' }],
    ['the same on macOS, which types into fields', { ...NO_PRESSURE, ...INSERTED }, { os: 'Mac OS X' }],
    ['a slow hand made of curves', { ...NO_PRESSURE, ...ONE_MOVE_PER_FRAME }],
    ['a launcher that repairs positions', { ...REPAIRED, ...NO_PRESSURE }],
    ['keys without a keyboard', { ...NO_PRESSURE, ...CAPITALS }],
    ['characters alone', { ...NO_PRESSURE, ...BARE_CHARACTERS }],
    ['in a frame', { ...NO_PRESSURE, ...BARE_CHARACTERS }, { nested: true }],
    ['a program that reads the console and fills fields', INSERTED, { others: READS }],
    ['one that points between pixels', CURVES, { others: READS }],
    [
      'one in a private window that calls itself a phone',
      {},
      { device: 'mobile', others: { ...READS, ...HASTY } },
    ],
    [
      'one whose page has the size of its screen, in a larger window',
      {},
      { others: { ...READS, ...EMULATED } },
    ],
  ])('%s', (_, traces, setup) => {
    expect(reachesThreshold(indicatorsOf(traces, setup))).toBe(true)
  })
})

describe('people', () => {
  test.each<[string, Partial<Traces>, Setup?]>([
    ['a mouse under X11', {}],
    [
      'a mouse under Wayland: pixels in 256 parts, stamps of another clock',
      { subpixels: 110, odd_stamps: 60 },
    ],
    [
      'a mouse under Wayland, scaled to 150 %, where its grid is another',
      { ...CURVES, ...OWN_CLOCK },
      { scale: 1.5 },
    ],
    ['a mouse on Windows, with bars of half a pixel', { ...CENTRES, ...OWN_CLOCK }, { os: 'Windows' }],
    ['a mouse on macOS, whose grid nobody measured', { ...CURVES, ...OWN_CLOCK }, { os: 'Mac OS X' }],
    ['Firefox', { ...CURVES, ...OWN_CLOCK, batched: 0 }, { engine: 'Gecko' }],
    [
      'a page in a frame, whose corner is anywhere',
      { ...CURVES, ...OWN_CLOCK, repaired: 4 },
      { nested: true },
    ],
    ['a phone', { ...INSERTED, ...BARE_CHARACTERS }, { device: 'mobile' }],
    ['a touch screen under X11, which points between pixels', CURVES, { others: TOUCH }],
    ['a window that moves under the pointer', { repaired: 2 }],
    ['a few stray positions', { off_grid: 2, odd_stamps: 2 }],
    ['a short movement', { batched: 0 }, { moves: 59 }],
    ['an emoji and accents of dead keys', { characters: 33, keys: 30 }],
  ])('%s: nothing', (_, traces, setup) => {
    expect(indicatorsOf(traces, setup)).toEqual([])
  })

  const VOICE = value({
    moves: 3,
    moves_before_click: 1,
    clicks: 3,
    unfocused: 0,
    centred: 3,
    hold_ms: 0.1,
    keys: 26,
    key_gap_ms: 2,
  })
  const PRIVATE = { private_mode: value({ files: 'ok', write_ms: 0.4, flush_ratio: 1 }) }
  test.each<[string, Partial<Traces>, Setup?]>([
    [
      'a pointer that nobody measured, at the clock of another display server',
      { ...CURVES, ...OWN_CLOCK, ...ONE_MOVE_PER_FRAME, ...INSERTED },
      { others: PRIVATE },
    ],
    [
      'VNC, whose server has a clock of its own',
      { ...ONE_MOVE_PER_FRAME, ...OWN_CLOCK },
      { others: PRIVATE },
    ],
    [
      'a keyboard that loses its modifiers on a remote desktop',
      { ...OWN_CLOCK, ...ONE_MOVE_PER_FRAME, ...CAPITALS },
    ],
    ['dictation on a remote desktop', { ...OWN_CLOCK, ...INSERTED, ...BARE_CHARACTERS }],
    ['an input method that inserts letters and words', { ...INSERTED, ...BARE_CHARACTERS, ...CAPITALS }],
    [
      'voice control and dictation in a private window',
      { ...INSERTED, ...BARE_CHARACTERS },
      { moves: 3, others: { input: VOICE, ...PRIVATE } },
    ],
    [
      'a developer whose DevTools emulate a device, in a private window',
      { ...REPAIRED, ...CURVES },
      { others: { ...PRIVATE, inspector: value({ attached: true }) } },
    ],
    ['one who opened them after the page had loaded', { ...REPAIRED, ...CURVES }],
    [
      'DevTools docked in full screen, on a display that is faster than the mouse',
      { ...REPAIRED, ...ONE_MOVE_PER_FRAME },
      { others: { inspector: value({ attached: true }) } },
    ],
    ['assistive technology that sets fields', INSERTED],
    [
      'Vivaldi with its bars at the bottom, on a remote desktop with a clock of its own',
      { ...REPAIRED, ...OWN_CLOCK, ...ONE_MOVE_PER_FRAME },
    ],
    ['Vivaldi with its bars at the bottom, and dictation', { ...REPAIRED, ...INSERTED }],
    ['the same by voice control', REPAIRED, { moves: 3, others: { input: VOICE } }],
  ])('%s: no verdict', (_, traces, setup) => {
    expect(reachesThreshold(indicatorsOf(traces, setup))).toBe(false)
  })

  test('without the reading there is no indicator', () => {
    expect(indicatorsOf({}, { others: { input_traces: missing } })).toEqual([])
  })
})

test('one cause counts once: a remote desktop may change the clock and the moves', () => {
  const facts = { ...NO_PRESSURE, ...OWN_CLOCK, ...ONE_MOVE_PER_FRAME }
  expect(totalPoints(indicatorsOf(facts))).toBe(35)
})
