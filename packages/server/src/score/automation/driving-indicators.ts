import type { ReadingValues } from '@inkling/contract'
import type { Identified } from '../../visit/identification.ts'
import { valueIn } from '../define-signal.ts'
import { type Indicator, WEAK_POINTS_MAX } from '../indicators.ts'
import { consoleReader } from './console-reader.ts'
import { type DrivingFact, factsAtLoad } from './facts-at-load.ts'
import { SIGNS_POINTS_MAX } from './input-indicators.ts'

type Traces = ReadingValues['input_traces']

/** A verdict takes as much from facts of several groups. */
const TOGETHER_POINTS = 30
/** A fact alone, beside indicators that are no facts of input, such as open DevTools in a private window (15). */
const ALONE_POINTS = 14
/** Of facts that nobody but a program is known to cause. Without one there is no verdict. */
const STRONG_POINTS = 20
/** Of positions on the grid of X11. A pointer that nobody measured may leave it, and its server has a clock of its own. */
const GRID_POINTS = 14
/** Facts that people's tools cause too, such as dictation, which `inputIndicators` sees as well: the same group. */
const EXPLAINED = { points: 5, group: 'input' }
/** Of a surface that no display gave. No tool of a person causes it, so it adds up with hasty input in a private window. */
const OF_SURFACE = { points: WEAK_POINTS_MAX - SIGNS_POINTS_MAX, group: 'surface' }

/** Half of random stamps differ from the first, so three clicks show it. */
const ODD_STAMPS_MIN = 3
/** The pointer goes where the program points it; the grid of that shows after some positions. */
const OFF_GRID_MIN = 3
/** Positions on the screen that leave no room for the bars; a window that moves gives one or two. */
const REPAIRED_MIN = 3
/** Moves after which a mouse has sent two within one frame. */
const UNBATCHED_MOVES_MIN = 60
/** Above the characters that a dead key, an emoji or a held key may add. */
const KEYLESS_MIN = 4

/**
 * Whether a program makes the events of mouse and keyboard, by what devices give and programs leave out. Rates are from 47
 * set-ups of people in Chromium 156 and Firefox 153 under X11, one run each: extensions, zoom, frames, VNC, kiosk,
 * trackpads and others. None of 47 bounds a rate at 6 % (rule of three), so no fact is a verdict; two of different groups
 * are, if nobody but programs is known to cause one of them.
 *
 * Facts of one group may have one cause outside of programs, and only the strongest counts. Across groups they are
 * independent among people: pressure is the browser's own for a device, positions come from the layout of windows, stamps
 * from the clock of the display server, text from input methods, modifiers from the keyboard.
 */
export function drivingIndicators({
  readings,
  client,
}: Pick<Identified, 'readings' | 'client'>): Indicator[] {
  const traces = valueIn(readings.input_traces)
  const input = valueIn(readings.input)
  const reader = consoleReader({ readings })
  const facts = [
    ...factsAtLoad({ readings, client }),
    ...(traces && input && client.deviceType === 'desktop'
      ? factsOf(traces, input.moves, {
          isBlink: client.engine === 'Blink',
          os: client.os,
          isTop: valueIn(readings.frame)?.nested === false,
          mayBeDevtools: reader === 'devtools',
          pixelRatio: valueIn(readings.screen)?.pixel_ratio,
          touchPoints: valueIn(readings.hardware)?.max_touch_points,
        })
      : []),
  ].filter(({ shown }) => shown)
  if (facts.length === 0) return []
  const groups = Map.groupBy(facts, ({ group }) => group)
  const sum = groups.values().reduce((total, own) => total + Math.max(...own.map(({ points }) => points)), 0)
  const isStrong = facts.some(({ points }) => points >= STRONG_POINTS)
  const counts = isStrong
    ? { points: sum >= TOGETHER_POINTS ? sum : ALONE_POINTS, group: 'driven_input' }
    : groups.has('surface')
      ? OF_SURFACE
      : EXPLAINED
  return [
    {
      name: 'driven_input',
      ...counts,
      evidence: { facts: facts.map(({ name }) => name), ...traces },
    },
  ]
}

interface Place {
  isBlink: boolean
  os: string
  isTop: boolean
  mayBeDevtools: boolean
  pixelRatio: number | undefined
  touchPoints: number | undefined
}

function factsOf(
  seen: Traces,
  moves: number,
  { isBlink, os, isTop, mayBeDevtools, pixelRatio, touchPoints }: Place,
): DrivingFact[] {
  // Other systems were not measured. Where a system scales, its pixels are not the page's, and the grid is not known.
  // Touch screens and other absolute pointers point between pixels. The hands of the measured set-ups were xdotool's, which
  // sends whole pixels: what other pointers of people send under X11 is not known, so the grid alone makes no verdict.
  const knowsGrid = isBlink && isTop && os === 'Linux' && pixelRatio === 1 && touchPoints === 0
  // Wayland has sub-pixels on a grid of 1/256, and other stamps than X11.
  const isX11 = knowsGrid && moves > 2 && seen.subpixels <= seen.quarters + seen.off_grid
  return [
    /**
     * Browsers give a pressed mouse 0.5 (https://www.w3.org/TR/pointerevents3/#dom-pointerevent-pressure). A press over
     * the DevTools protocol has the `force` of its sender, 0 by default. 0 of 47 innocents. Pens are not of the type
     * `mouse`. Presses of assistive technology are and have none either, so the agent counts only those of a pointer.
     */
    { name: 'no_pressure', group: 'pressure', points: 20, shown: isBlink && seen.flat > 0 },
    /**
     * Devices point at whole pixels under X11 and at 1/256 of one under Wayland; curves of libraries do not. 0 of 47
     * innocents, outside of frames, whose corner may be anywhere.
     */
    {
      name: 'off_grid',
      group: 'position',
      points: GRID_POINTS,
      shown: knowsGrid && seen.off_grid >= OFF_GRID_MIN,
    },
    /** The centres of boxes are there, but 1/256 of a pixel is a quarter in one of 64 places only. */
    {
      name: 'quarter_pixels',
      group: 'position',
      points: GRID_POINTS,
      shown: knowsGrid && seen.quarters >= OFF_GRID_MIN && seen.quarters > seen.subpixels,
    },
    /**
     * X11 stamps whole milliseconds of one clock; drivers, the browser's own at any fraction. 0 of 47 innocents. Not as
     * strong: Chromium takes its own clock where the display server's differs, as that of another machine does.
     */
    { name: 'stamps', group: 'clock', points: 15, shown: isX11 && seen.odd_stamps >= ODD_STAMPS_MIN },
    /** 1 of 47 innocents: VNC. Displays that are faster than the mouse may do it too. Same group: both are remote. */
    {
      name: 'one_move_per_frame',
      group: 'clock',
      points: 10,
      shown: isBlink && moves >= UNBATCHED_MOVES_MIN && seen.batched === 0,
    },
    /**
     * The corner of the page is below the bars of its window. Scripts that set `screenX` forget them. 0 of 47 innocents,
     * but Vivaldi may have its bars at the bottom, so it is not as strong (https://help.vivaldi.com/desktop/tabs/tab-bar/).
     * DevTools docked in full screen look like bars. The same group: DevTools that emulate a device scale and move it.
     */
    {
      name: 'no_bars',
      group: 'position',
      points: 14,
      shown: isTop && isBlink && !mayBeDevtools && seen.repaired >= REPAIRED_MIN,
    },
    /** 0 of 47 innocents. A remote keyboard could lose its modifiers, so it does not add up with a remote clock. */
    { name: 'bare_capitals', group: 'keys', points: 14, shown: seen.capitals > 0 },
    /** 0 of 47 innocents, but dictation, input methods and text expanders insert texts, and a tool may single letters. */
    { name: 'inserted_text', group: 'text', points: 10, shown: seen.insertions > 0 },
    {
      name: 'characters_without_keys',
      group: 'text',
      points: 14,
      shown: seen.characters - seen.keys >= KEYLESS_MIN,
    },
  ]
}
