import type { Identified } from '../../visit/identification.ts'
import type { Hint } from '../hint.ts'
import { known } from '../known.ts'

/**
 * Programs that know nothing of time hold a button for 0 to 9 ms and leave 0 to 8 ms between keys (measured on
 * 17 configurations). A tap on a trackpad is as short, and password managers and scanners type as fast.
 */
const INSTANT_MS = 10
const KEYS_MIN = 8

/** Voice control moves once, clicks in the middle and holds for no time either, so all this never settles it. */
const TOGETHER_MAX = 24

/** How mouse and keyboard are used, as far as it is unlike hands. Says nothing before the visitor acts. */
export function inputHints({ readings }: Pick<Identified, 'readings'>): Hint[] {
  const input = known(readings.input)
  if (!input) return []
  const { clicks, hold_ms, keys, key_gap_ms, moves_before_click } = input
  const signs = [
    { name: 'instant_keys', points: 10, shown: keys >= KEYS_MIN && isInstant(key_gap_ms) },
    { name: 'instant_clicks', points: 4, shown: isInstant(hold_ms) },
    { name: 'centred_clicks', points: 6, shown: clicks > 0 && input.centred === clicks },
    // One move to each place, or none at all.
    {
      name: 'few_moves',
      points: 6,
      shown: clicks > 0 && (moves_before_click ?? 0) <= 2 && input.moves <= clicks + 1,
    },
  ].filter(({ shown }) => shown)
  const points = Math.min(
    TOGETHER_MAX,
    signs.reduce((sum, sign) => sum + sign.points, 0),
  )
  const hints: Hint[] = []
  if (points > 0)
    hints.push({
      name: 'input',
      group: 'input',
      points,
      evidence: { signs: signs.map(({ name }) => name), ...input },
    })
  // A real click gives the window the focus before the page hears of it; frames may differ.
  if (input.unfocused > 0 && known(readings.frame)?.nested === false)
    hints.push({ name: 'clicks_without_focus', group: 'focus', points: 20, evidence: input.unfocused })
  return hints
}

const isInstant = (timeMs: number | null): boolean => timeMs !== null && timeMs < INSTANT_MS
