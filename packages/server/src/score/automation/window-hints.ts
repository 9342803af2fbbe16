import type { ReadingValues } from '@inkling/contract'
import type { Identified } from '../../visit/identification.ts'
import type { Hint } from '../hint.ts'
import { known } from '../known.ts'

type Window = ReadingValues['window']
type Screen = ReadingValues['screen']

/** Frames and shadows that systems count to a window, CSS pixels. A maximised one on Windows hangs over by 16. */
const EDGES_PX = 24
/** Scroll bars, borders and a collapsed side panel; then tabs, toolbars, bookmarks and notices. */
const SIDES_PX = 40
const BARS_PX = 220

/** Scales of monitors, and the steps in which browsers zoom. */
const SCALES = [1, 1.25, 1.5, 1.75, 2, 2.25, 2.5, 3, 3.5, 4]
const ZOOMS = [
  0.25, 0.3, 0.33, 0.5, 0.67, 0.75, 0.8, 0.9, 1, 1.1, 1.2, 1.25, 1.33, 1.5, 1.7, 1.75, 2, 2.4, 2.5, 3, 4, 5,
]

/** Sizes that programs give a page and that a window's content has only by chance. */
const COMMON_SIZES = new Set(
  '800x600 1024x768 1280x720 1280x800 1366x768 1440x900 1536x864 1600x900 1920x1080'.split(' '),
)

/**
 * Sizes of page, window and screen that do not fit each other, as when a program gives the page another size
 * than its window has. Only of desktops and of pages that are not framed; the strongest one.
 */
export function windowHints({ readings, client }: Pick<Identified, 'readings' | 'client'>): Hint[] {
  const window = known(readings.window)
  const screen = known(readings.screen)
  if (!window || !screen || client.deviceType !== 'desktop' || known(readings.frame)?.nested !== false)
    return []
  // Safari reports no outer size in some modes, and hidden windows none at all.
  if (
    Object.values(window)
      .slice(0, 4)
      .some((size) => size <= 0)
  )
    return []
  const found = judge(window, screen, known(readings.inspector)?.attached === true)
  return found ? [{ ...found, group: 'window', evidence: { ...window, ...screen } }] : []
}

function judge(window: Window, screen: Screen, attached: boolean): Pick<Hint, 'name' | 'points'> | undefined {
  const { inner_width, inner_height, outer_width, outer_height } = window
  const fillsScreen = inner_width === screen.width && inner_height === screen.height
  // DevTools shows pages as on other devices just so, and is attached then.
  if (fillsScreen && attached) return undefined
  if (fillsScreen && outer_height > screen.height + EDGES_PX)
    return { name: 'window_over_screen', points: 25 }
  // In both directions: windows may span two monitors.
  if (outer_width > screen.width * 1.1 && outer_height > screen.height * 1.1)
    return { name: 'window_over_screen', points: 25 }
  if (exceedsWindow(window, screen)) return { name: 'page_over_window', points: 20 }
  if (!fillsScreen && !fits(window, screen))
    return { name: 'page_misfit', points: COMMON_SIZES.has(`${inner_width}x${inner_height}`) ? 20 : 10 }
  return undefined
}

/** Larger than its window although nothing is zoomed out; pages that are zoomed out are at least a ninth wider. */
function exceedsWindow(
  { inner_width, inner_height, outer_width, outer_height }: Window,
  { pixel_ratio }: Screen,
) {
  if (pixel_ratio < 1 || inner_width > outer_width * 1.09) return false
  const wider = inner_width - outer_width
  return wider > 8 || (wider > -16 && inner_height > outer_height + 8)
}

/**
 * Whether some zoom explains the page's size. One direction may fall short by whatever there is: docked tools
 * take it from the height or the width, a side bar from the width.
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
