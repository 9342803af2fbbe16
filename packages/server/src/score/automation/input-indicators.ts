import type { Identified } from '../../visit/identification.ts'
import { valueIn } from '../define-signal.ts'
import type { Indicator } from '../indicators.ts'

/**
 * A program that adds no delays holds a button for 0 to 9 ms and types a key every 0 to 8 ms, as measured with
 * 17 configurations of drivers. A tap on a trackpad is as short, and password managers type as fast.
 */
const INSTANT_MS = 10
const KEYS_MIN = 8

/** Voice control also moves once, clicks the centre and holds for no time, so all signs together stay weak. */
export const SIGNS_POINTS_MAX = 24

/** Use of mouse and keyboard that is unlike a person's hands. Empty until the visitor acts. */
export function inputIndicators(identified: Pick<Identified, 'readings' | 'client'>): Indicator[] {
  const { readings } = identified
  const input = valueIn(readings.input)
  if (!input) return []
  const { clicks, hold_ms, keys, key_gap_ms, moves_before_click } = input
  const signs = [
    { name: 'instant_keys', points: 10, shown: keys >= KEYS_MIN && isInstant(key_gap_ms) },
    { name: 'instant_clicks', points: 4, shown: isInstant(hold_ms) },
    { name: 'centred_clicks', points: 6, shown: clicks > 0 && input.centred === clicks },
    // The pointer jumps to each target, or never moves.
    {
      name: 'few_moves',
      points: 6,
      shown: clicks > 0 && (moves_before_click ?? 0) <= 2 && input.moves <= clicks + 1,
    },
  ].filter(({ shown }) => shown)
  const points = Math.min(
    SIGNS_POINTS_MAX,
    signs.reduce((sum, sign) => sum + sign.points, 0),
  )
  const indicators: Indicator[] = []
  if (points > 0)
    indicators.push({
      name: 'input',
      group: 'input',
      points,
      evidence: { signs: signs.map(({ name }) => name), ...input },
    })
  // A real click focuses the window before the page sees the event. Frames may differ.
  if (input.unfocused > 0 && focusesByClick(identified) && valueIn(readings.frame)?.nested === false)
    indicators.push({ name: 'clicks_without_focus', group: 'focus', points: 20, evidence: input.unfocused })
  return indicators
}

/** Length of the text of V8's `eval`; see `identity-indicators.ts`. */
const EVAL_LENGTH_OF_V8 = 33

/**
 * Whether a click gives the page's window the focus before the page sees it. A click of a mouse or trackpad on iPadOS does
 * not, and iPads ask for desktop pages under the name of a Mac. Chromium is Chromium whatever it calls itself.
 */
const focusesByClick = ({ readings, client }: Pick<Identified, 'readings' | 'client'>): boolean =>
  valueIn(readings.engine)?.eval_length === EVAL_LENGTH_OF_V8 ||
  (client.deviceType === 'desktop' && client.engine !== 'WebKit')

const isInstant = (timeMs: number | null): boolean => timeMs !== null && timeMs < INSTANT_MS
