import type { ReadingValues } from '@inkling/contract'
import type { Identified } from '../visit/identification.ts'
import { valueIn } from './define-signal.ts'

/**
 * Blink keeps the files of a private window in memory and in another process. Measured on Chromium 156, idle
 * and under load from five times more work than processors:
 *
 * - private: a write takes 0.4 to 1 ms, since it is a message, and a flush takes no longer (ratio 0.9 to 1.1)
 * - ordinary: a write takes 0.007 to 0.04 ms, and a flush waits for the disk (ratio 16 to 60), unless the
 *   profile is in memory
 *
 * Values between the two ranges say nothing.
 */
const PRIVATE = { writeMsMin: 0.05, flushRatioMax: 1.5 }
const ORDINARY = { writeMsMax: 0.015, flushRatioMin: 3 }

/** The error with which Firefox and Safari refuse files in private windows. */
const REFUSALS: Readonly<Record<string, string>> = { Gecko: 'SecurityError', WebKit: 'UnknownError' }

/** Whether the page is in a private window; undefined where nothing shows it. */
export function isPrivateWindow({
  readings,
  client,
}: Pick<Identified, 'readings' | 'client'>): boolean | undefined {
  const mode = valueIn(readings.private_mode)
  // Where the visitor blocks storage, files are refused in every window.
  if (!mode || valueIn(readings.storage)?.indexed_db === false) return undefined
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
