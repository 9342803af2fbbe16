import type { ReadingValues } from '@inkling/contract'
import { Unsupported } from '../collect/unsupported.ts'
import { inThread } from './lib/in-thread.ts'
import { timeWrites, type WriteTimes } from './lib/time-writes.ts'

/**
 * Things that differ where nothing may reach the disk. Firefox and Safari refuse files in private windows; in
 * Chromium's a file lies in another process' memory, so that a write costs a message to it and a flush nothing,
 * while everywhere else a write costs next to nothing and a flush waits for the disk.
 */
export async function privateMode(): Promise<ReadingValues['private_mode']> {
  // In a sandboxed frame Chromium also leaves a second rejection behind, which the page would see.
  if (!navigator.storage?.getDirectory || window.origin === 'null') throw new Unsupported()
  const files = await filesAnswer()
  const times = files === 'ok' ? await writeTimes() : null
  return {
    files,
    write_ms: times && times.plainMs / times.writes,
    flush_ratio: times && times.plainMs > 0 ? times.flushedMs / times.plainMs : null,
  }
}

/** `ok`, or the name of the error. */
const filesAnswer = (): Promise<string> =>
  navigator.storage.getDirectory().then(
    () => 'ok',
    (error: Error) => error.name,
  )

/** Null where there is no thread to try it in, or another tab does. */
const writeTimes = (): Promise<WriteTimes | null> =>
  inThread<WriteTimes | null>(`(${timeWrites})().then(postMessage,()=>postMessage(null))`).catch(() => null)
