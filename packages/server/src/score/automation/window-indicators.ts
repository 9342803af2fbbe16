import type { ReadingValues } from '@inkling/contract'
import type { Identified } from '../../visit/identification.ts'
import { valueIn } from '../define-signal.ts'
import { type Indicator, WEAK_POINTS_MAX } from '../indicators.ts'
import { consoleReader } from './console-reader.ts'
import { SIGNS_POINTS_MAX } from './input-indicators.ts'

type Window = ReadingValues['window']
type Screen = ReadingValues['screen']

/** Frames and shadows that count as part of a window, in CSS pixels. Maximised on Windows it overhangs by 16. */
const EDGES_PX = 24
/** The most that scroll bars, borders and a collapsed side panel take from the width. */
const SIDES_PX = 40
/** The most that tabs, toolbars, bookmarks and notices take from the height. */
const BARS_PX = 220

/** The least and the most that browsers zoom. */
const ZOOM_MIN = 0.25
const ZOOM_MAX = 5
/**
 * Steps that a monitor's scale can undo to a ratio of exactly 1, which programs set: Chromium's
 * https://chromium.googlesource.com/chromium/src/+/HEAD/third_party/blink/common/page/page_zoom.cc
 */
const STEPS_OF_ONE = [1, 0.9, 0.8, 0.75, 2 / 3, 0.5, 1 / 3, 0.25]
/** Browsers round sizes and ratios. */
const RATIO_SLACK = 0.03
/** What is left of the height of a window beside a page that is zoomed out. */
const BARS_LEFT_PX = 30

/** A page in no size of its window: with all signs of hasty input it is no verdict, since tiles and side panels do it. */
const MISFIT_POINTS = WEAK_POINTS_MAX - SIGNS_POINTS_MAX

/** Sizes that programs like to give a page. The content of a real window has one of them only by chance. */
const COMMON_SIZES = new Set(
  '800x600 1024x768 1280x720 1280x800 1366x768 1440x900 1536x864 1600x900 1920x1080'.split(' '),
)

/**
 * The strongest mismatch between the sizes of page, window and screen. It arises when a program sets the
 * size of the page without its window. Only for desktops, and for pages outside frames.
 */
export function windowIndicators({ readings, client }: Pick<Identified, 'readings' | 'client'>): Indicator[] {
  const window = valueIn(readings.window)
  const screen = valueIn(readings.screen)
  if (!window || !screen || client.deviceType !== 'desktop' || valueIn(readings.frame)?.nested !== false)
    return []
  // Safari reports no outer size in some modes, hidden windows never do.
  if (
    Object.values(window)
      .slice(0, 4)
      .some((size) => size <= 0)
  )
    return []
  const found = judge(
    { ...window, ...screen, isWebKit: client.engine === 'WebKit' },
    consoleReader({ readings }) === 'devtools',
  )
  return found ? [{ ...found, group: 'window', evidence: { ...window, ...screen } }] : []
}

interface Sizes extends Window, Screen {
  /** Its pixel ratio is the monitor's, whatever the zoom. */
  isWebKit: boolean
}

function judge(sizes: Sizes, mayBeDevtools: boolean): Pick<Indicator, 'name' | 'points'> | undefined {
  const { inner_width, inner_height, outer_width, outer_height, width, height } = sizes
  const fillsScreen = inner_width === width && inner_height === height
  // DevTools look the same while they emulate a device, and they read the console then.
  if (fillsScreen && mayBeDevtools) return undefined
  if (fillsScreen && outer_height > height + EDGES_PX) return { name: 'window_over_screen', points: 25 }
  // Both directions must exceed it: a window may span two monitors.
  if (outer_width > width * 1.1 && outer_height > height * 1.1)
    return { name: 'window_over_screen', points: 25 }
  if (exceedsWindow(sizes)) return { name: 'page_over_window', points: 20 }
  if (!fillsScreen && !fits(sizes))
    return {
      name: 'page_misfit',
      points: COMMON_SIZES.has(`${inner_width}x${inner_height}`) ? 20 : MISFIT_POINTS,
    }
  return undefined
}

/** Larger than its window without being zoomed out. A page that is zoomed out by a step is at least a ninth wider. */
function exceedsWindow(sizes: Sizes): boolean {
  const { inner_width, inner_height, outer_width, outer_height, pixel_ratio } = sizes
  if (pixel_ratio < 1 || inner_width > outer_width * 1.09) return false
  const wider = inner_width - outer_width
  const exceeds = wider > 8 || (wider > -16 && inner_height > outer_height + 8)
  return exceeds && !isZoomedOut(sizes)
}

/** Sliders and extensions zoom by any amount: both sides alike, so that the bars are left. A ratio of 1 is not zoomed. */
function isZoomedOut(sizes: Sizes): boolean {
  const { inner_width, inner_height, outer_width, outer_height, pixel_ratio, isWebKit } = sizes
  const zoom = outer_width / inner_width
  return (isWebKit || !isOne(pixel_ratio)) && outer_height - inner_height * zoom >= BARS_LEFT_PX
}

const isOne = (ratio: number): boolean => Math.abs(ratio - 1) < 0.001

/**
 * Whether some zoom level explains the page's size. It may be any amount too small in one direction, since
 * docked tools and side bars take height or width. Monitors have any scale from 1 on, which is what the pixel ratio is
 * without the zoom.
 */
function fits(sizes: Sizes): boolean {
  const { inner_width, inner_height, outer_width, outer_height, pixel_ratio, isWebKit } = sizes
  const least = Math.min((outer_width - SIDES_PX) / inner_width, (outer_height - BARS_PX) / inner_height)
  const most = Math.min((outer_width + EDGES_PX) / inner_width, (outer_height + EDGES_PX) / inner_height)
  // Brave makes up a window around the page, in the page's own pixels.
  if (least <= 1 && most > 1) return true
  if (!isWebKit && isOne(pixel_ratio)) return STEPS_OF_ONE.some((zoom) => least <= zoom && zoom < most)
  const zoomMax = isWebKit ? ZOOM_MAX : Math.min(ZOOM_MAX, pixel_ratio + RATIO_SLACK)
  return Math.max(least, ZOOM_MIN) <= Math.min(most, zoomMax)
}
