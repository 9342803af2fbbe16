import type { Identified } from '../identification.ts'
import { known } from './known.ts'

/**
 * Measured on Chromium 156: at most 1.1 in private windows and at least 1.8 in others, by turns 1.3 in either with
 * ten times more work than the machine has processors for. What lies between says nothing.
 */
const PRIVATE_RATIO_MAX = 1.2
const ORDINARY_RATIO_MIN = 1.6

/** How Firefox and Safari refuse files in private windows. */
const REFUSALS: Readonly<Record<string, string>> = { Gecko: 'SecurityError', WebKit: 'UnknownError' }

/** Whether the page is in a private window, or undefined where nothing tells. Memory-backed profiles look alike. */
export function isPrivateWindow({
  readings,
  client,
}: Pick<Identified, 'readings' | 'client'>): boolean | undefined {
  const mode = known(readings.private_mode)
  // Where the visitor blocks storage, files are refused in every window.
  if (!mode || known(readings.storage)?.indexed_db === false) return undefined
  if (client.engine === 'Blink') return isInMemory(mode.durability_ratio)
  const refusal = Object.hasOwn(REFUSALS, client.engine) ? REFUSALS[client.engine] : undefined
  return refusal === undefined || mode.files === '' ? undefined : mode.files === refusal
}

function isInMemory(ratio: number | null): boolean | undefined {
  if (ratio === null || (ratio > PRIVATE_RATIO_MAX && ratio < ORDINARY_RATIO_MIN)) return undefined
  return ratio <= PRIVATE_RATIO_MAX
}
