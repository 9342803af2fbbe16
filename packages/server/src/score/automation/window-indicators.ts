import type { ReadingValues } from '@inkling/contract'
import type { Identified } from '../../visit/identification.ts'
import { valueIn } from '../define-signal.ts'
import type { Indicator } from '../indicators.ts'
import { consoleReader } from './console-reader.ts'

type Window = ReadingValues['window']
type Screen = ReadingValues['screen']

/** Frames and shadows that count as part of a window, in CSS pixels. Maximised on Windows it overhangs by 16. */
const EDGES_PX = 24
/** The most that scroll bars, borders and a collapsed side panel take from the width. */
const SIDES_PX = 40
/** The most that tabs, toolbars, bookmarks and notices take from the height. */
const BARS_PX = 220

/** Scales that systems offer for monitors. */
const SCALES = [1, 1.25, 1.5, 1.75, 2, 2.25, 2.5, 3, 3.5, 4]
/** Zoom steps of Chromium, Firefox and Safari. */
const ZOOMS = [
  0.25, 0.3, 0.33, 0.5, 0.67, 0.75, 0.8, 0.9, 1, 1.1, 1.2, 1.25, 1.33, 1.5, 1.7, 1.75, 2, 2.4, 2.5, 3, 4, 5,
]

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
  const found = judge(window, screen, consoleReader({ readings }) === 'devtools')
  return found ? [{ ...found, group: 'window', evidence: { ...window, ...screen } }] : []
}

function judge(
  window: Window,
  screen: Screen,
  mayBeDevtools: boolean,
): Pick<Indicator, 'name' | 'points'> | undefined {
  const { inner_width, inner_height, outer_width, outer_height } = window
  const fillsScreen = inner_width === screen.width && inner_height === screen.height
  // DevTools look the same while they emulate a device, and they read the console then.
  if (fillsScreen && mayBeDevtools) return undefined
  if (fillsScreen && outer_height > screen.height + EDGES_PX)
    return { name: 'window_over_screen', points: 25 }
  // Both directions must exceed it: a window may span two monitors.
  if (outer_width > screen.width * 1.1 && outer_height > screen.height * 1.1)
    return { name: 'window_over_screen', points: 25 }
  if (exceedsWindow(window, screen)) return { name: 'page_over_window', points: 20 }
  if (!fillsScreen && !fits(window, screen))
    return { name: 'page_misfit', points: COMMON_SIZES.has(`${inner_width}x${inner_height}`) ? 20 : 10 }
  return undefined
}

/** Larger than its window without being zoomed out. A page that is zoomed out is at least a ninth wider. */
function exceedsWindow(
  { inner_width, inner_height, outer_width, outer_height }: Window,
  { pixel_ratio }: Screen,
) {
  if (pixel_ratio < 1 || inner_width > outer_width * 1.09) return false
  const wider = inner_width - outer_width
  return wider > 8 || (wider > -16 && inner_height > outer_height + 8)
}

/**
 * Whether some zoom level explains the page's size. It may be any amount too small in one direction, since
 * docked tools and side bars take height or width.
 */
function fits(
  { inner_width, inner_height, outer_width, outer_height }: Window,
  { pixel_ratio }: Screen,
): boolean {
  return ZOOMS.filter((zoom) => SCALES.some((scale) => Math.abs(scale * zoom - pixel_ratio) < 0.03)).some(
    (zoom) => {
      const sides = outer_width - inner_width * zoom
      const bars = outer_height - inner_height * zoom
      const within = (size: number, most: number) => size > -EDGES_PX && size <= most
      return (within(sides, SIDES_PX) && bars > -EDGES_PX) || (within(bars, BARS_PX) && sides > -EDGES_PX)
    },
  )
}
