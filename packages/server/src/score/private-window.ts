import type { Identified } from '../identification.ts'
import { known } from './known.ts'

/** Measured on Chromium 156 on a busy machine: at most 1.1 in private windows, at least 1.8 in others. */
const DURABILITY_RATIO_MIN = 1.4

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
  if (client.engine === 'Blink')
    return mode.durability_ratio === null ? undefined : mode.durability_ratio < DURABILITY_RATIO_MIN
  const refusal = Object.hasOwn(REFUSALS, client.engine) ? REFUSALS[client.engine] : undefined
  return refusal === undefined || mode.files === '' ? undefined : mode.files === refusal
}
