import type { ReadingValues } from '@inkling/contract'
import { Unsupported } from '../../collect/source.ts'
import { inThread } from '../lib/in-thread.ts'

/**
 * What differs in a private window, which may write nothing to the disk. Firefox and Safari refuse files there. In
 * Chromium a file of a private window lies in the memory of another process, so a write costs a message to it and a
 * flush nothing; elsewhere a write costs next to nothing and a flush waits for the disk. After an idea discussed at
 * https://github.com/Joe12387/detectIncognito, with our own measure.
 */
export async function privateMode(): Promise<ReadingValues['private_mode']> {
  // In a sandboxed frame Chromium also rejects a promise that the page would see as unhandled.
  if (!navigator.storage?.getDirectory || window.origin === 'null') throw new Unsupported()
  const files = await filesAnswer()
  const times = files === 'ok' ? await writeTimes() : null
  return {
    files,
    write_ms: times && times.plainMs / times.writes,
    flush_ratio: times && times.plainMs > 0 ? times.flushedMs / times.plainMs : null,
  }
}

/** `ok`, or the error's name. */
const filesAnswer = (): Promise<string> =>
  navigator.storage.getDirectory().then(
    () => 'ok',
    (error: Error) => error.name,
  )

/** One for all identifications of a page. A measurement that failed is made again. */
let measuring: Promise<WriteTimes | null> | undefined

/** Null where no worker can start, or where another tab holds the file and the browser has no locks. */
function writeTimes(): Promise<WriteTimes | null> {
  measuring ??= alone(() =>
    inThread<WriteTimes | null>(`(${timeWrites})().then(postMessage,()=>postMessage(null))`),
  )
    .catch(() => null)
    .then((times) => {
      if (!times) measuring = undefined
      return times
    })
  return measuring
}

/** Waits for other tabs of the origin: measurements at the same time would lengthen each other's writes. */
const alone = <Result>(measure: () => Promise<Result>): Promise<Result> =>
  navigator.locks ? navigator.locks.request('inkling_writes', measure) : measure()

/** Only workers have these. */
interface WorkerFile extends FileSystemFileHandle {
  createSyncAccessHandle(): Promise<SyncFile>
}
interface SyncFile {
  write(bytes: Uint8Array, options: { at: number }): number
  flush(): void
  close(): void
}

/** Both sums are of `writes` writes, those of the faster half of the rounds. */
interface WriteTimes {
  writes: number
  plainMs: number
  /** With a flush after each write. */
  flushedMs: number
}

/**
 * Times writes to a file of the page's origin, with and without flushes, and removes it again. Rejects while another
 * tab holds the file. Sent to a worker as text, so it may use nothing from outside itself.
 */
async function timeWrites(): Promise<WriteTimes> {
  const name = 'inkling_writes'
  // One write is shorter than a step of the browser's clock.
  const writesPerRound = 12
  const rounds = 8
  // On slow disks the difference is so large that fewer rounds suffice.
  const enoughMs = 300

  const folder = await navigator.storage.getDirectory()
  const handle = (await folder.getFileHandle(name, { create: true })) as WorkerFile
  const file = await handle.createSyncAccessHandle()
  const byte = new Uint8Array(1)
  const timeRound = (isFlushed: boolean): number => {
    const startedAt = performance.now()
    for (let write = 0; write < writesPerRound; write++) {
      file.write(byte, { at: 0 })
      if (isFlushed) file.flush()
    }
    return performance.now() - startedAt
  }
  try {
    const plain: number[] = []
    const flushed: number[] = []
    const startedAt = performance.now()
    for (let round = 0; round < rounds && performance.now() - startedAt < enoughMs; round++) {
      plain.push(timeRound(false))
      flushed.push(timeRound(true))
    }
    // Other work on the machine only makes rounds longer, so the slower half is left out.
    const half = Math.ceil(plain.length / 2)
    const fasterHalf = (times: number[]): number =>
      times
        .sort((a, b) => a - b)
        .slice(0, half)
        .reduce((sum, time) => sum + time)
    return { writes: half * writesPerRound, plainMs: fasterHalf(plain), flushedMs: fasterHalf(flushed) }
  } finally {
    file.close()
    await folder.removeEntry(name)
  }
}
