/** What workers alone have. */
interface WorkerFile extends FileSystemFileHandle {
  createSyncAccessHandle(): Promise<SyncFile>
}
interface SyncFile {
  write(bytes: Uint8Array, options: { at: number }): number
  flush(): void
  close(): void
}

/** Milliseconds, each the sum of the same number of writes in the faster half of the rounds. */
export interface WriteTimes {
  writes: number
  plainMs: number
  /** Each followed by a flush. */
  flushedMs: number
}

/**
 * What writing to a file of the page's own costs, with and without waiting for the disk. Sent to a worker as text,
 * so it may use nothing from outside itself. The file is removed again. Fails where another tab has it.
 */
export async function timeWrites(): Promise<WriteTimes> {
  const name = 'inkling_writes'
  // A single write is shorter than the steps of the browser's clock.
  const writesPerRound = 12
  const rounds = 8
  // Slow disks differ so clearly that fewer rounds do.
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
    // Whatever else the machine does makes rounds longer, never shorter.
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
