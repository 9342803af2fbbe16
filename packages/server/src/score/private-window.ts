import type { ReadingValues } from '@inkling/contract'
import type { Identified } from '../visit/identification.ts'
import { known } from './known.ts'

/**
 * Measured on Chromium 156, idle and with five times more work than processors: in private windows a write takes
 * 0.4 to 1 ms, as it is a message to another process, and a flush nothing (ratio 0.9 to 1.1); elsewhere a write takes
 * 0.007 to 0.04 ms, and a flush waits for the disk (16 to 60), unless the profile lies in memory. What lies between
 * says nothing.
 */
const PRIVATE = { writeMsMin: 0.05, flushRatioMax: 1.5 }
const ORDINARY = { writeMsMax: 0.015, flushRatioMin: 3 }

/** How Firefox and Safari refuse files in private windows. */
const REFUSALS: Readonly<Record<string, string>> = { Gecko: 'SecurityError', WebKit: 'UnknownError' }

/** Whether the page is in a private window, or undefined where nothing tells. */
export function isPrivateWindow({
  readings,
  client,
}: Pick<Identified, 'readings' | 'client'>): boolean | undefined {
  const mode = known(readings.private_mode)
  // Where the visitor blocks storage, files are refused in every window.
  if (!mode || known(readings.storage)?.indexed_db === false) return undefined
  if (client.engine === 'Blink') return isInMemory(mode)
  const refusal = Object.hasOwn(REFUSALS, client.engine) ? REFUSALS[client.engine] : undefined
  return refusal === undefined ? undefined : mode.files === refusal
}

function isInMemory({
  write_ms: writeMs,
  flush_ratio: ratio,
}: ReadingValues['private_mode']): boolean | undefined {
  if (writeMs === null) return undefined
  if (writeMs <= ORDINARY.writeMsMax || (ratio !== null && ratio >= ORDINARY.flushRatioMin)) return false
  return writeMs >= PRIVATE.writeMsMin && ratio !== null && ratio <= PRIVATE.flushRatioMax ? true : undefined
}
