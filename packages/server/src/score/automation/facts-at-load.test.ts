import { describe, expect, test } from 'vitest'
import { identified, ordinaryReadings, value } from '../../../test/identified.ts'
import type { Readings } from '../../visit/received.ts'
import { reachesThreshold } from '../indicators.ts'
import { automationIndicators } from './automation-indicators.ts'

const PROGRAM = value({ attached: true, handler_share: 0.01, timer_share: 0.3 })
const DEVTOOLS = value({ attached: true, handler_share: 0.7, timer_share: 0.3 })
const RECORDING = value({ attached: true, handler_share: 0.01, timer_share: 12 })
const ALLOWED = value({ geolocation: 'granted' })
const MADE_UP = value({ made_up: true })
const PREFERENCES = {
  color_scheme: 'light',
  contrast: 'no-preference',
  reduced_motion: false,
  forced_colors: false,
  color_gamut: 'srgb',
  hdr: false,
  do_not_track: null,
  global_privacy_control: null,
}
const NO_POINTER = value({ ...PREFERENCES, pointer: 'none', hover: false })

const BARE_WINDOW = value({
  inner_width: 1200,
  inner_height: 800,
  outer_width: 1200,
  outer_height: 800,
  screen_x: 0,
  screen_y: 0,
})

const HASTY = value({
  ...{ moves: 1, moves_before_click: 1, clicks: 1, unfocused: 0, centred: 1 },
  ...{ hold_ms: 0, keys: 20, key_gap_ms: 3 },
})

const indicatorsOf = (given: Partial<Readings>, os = 'Linux') =>
  automationIndicators(
    identified({
      client: { ...identified().client, os, engine: 'Blink', deviceType: 'desktop' },
      readings: { ...ordinaryReadings(), ...given },
    }),
  )

test.each<[string, Partial<Readings>, string?]>([
  ['a library that attaches to the page and its workers', { inspector: PROGRAM, worker_inspector: PROGRAM }],
  ['a driver that allows the position', { inspector: PROGRAM, permissions: ALLOWED }],
  ['a browser without a display', { keyboard: MADE_UP, preferences: NO_POINTER }],
  ['one that claims another system', { keyboard: MADE_UP, preferences: NO_POINTER }, 'Windows'],
  ['one that a library drives', { keyboard: MADE_UP, inspector: PROGRAM }],
])('%s is a verdict before any input', (_, readings, os) => {
  expect(reachesThreshold(indicatorsOf(readings, os))).toBe(true)
})

test('a browser without a display that types and clicks at once in a private window is a verdict', () => {
  const isPrivate = value({ files: 'ok' as const, write_ms: 0.4, flush_ratio: 1 })
  const driven = { keyboard: MADE_UP, window: BARE_WINDOW, input: HASTY, private_mode: isPrivate }
  expect(reachesThreshold(indicatorsOf(driven))).toBe(true)
})

describe('no verdict', () => {
  test.each<[string, Partial<Readings>, string?]>([
    ['a recorder of bugs, which reads the page alone', { inspector: PROGRAM }],
    ['a page that wraps its console, with a reader in its worker', { worker_inspector: PROGRAM }],
    ['DevTools', { inspector: DEVTOOLS, worker_inspector: DEVTOOLS, permissions: ALLOWED }],
    [
      'DevTools that record performance',
      { inspector: RECORDING, worker_inspector: RECORDING, permissions: ALLOWED },
    ],
    ['somebody who has allowed the position', { permissions: ALLOWED }],
    ['a recorder of bugs in an app window', { inspector: PROGRAM, window: BARE_WINDOW }],
    ['a desktop without a mouse', { preferences: NO_POINTER }],
    ['a keyboard that nobody knows', { keyboard: MADE_UP }],
    ['QtWebEngine without X11 in full screen', { keyboard: MADE_UP, window: BARE_WINDOW }],
    [
      'a kiosk of it whose text is dictated and whose button is pressed by voice',
      { keyboard: MADE_UP, window: BARE_WINDOW, input: HASTY },
    ],
    ['a machine without a mouse on another system', { preferences: NO_POINTER }, 'Windows'],
  ])('%s', (_, readings, os) => {
    expect(reachesThreshold(indicatorsOf(readings, os))).toBe(false)
  })
})
