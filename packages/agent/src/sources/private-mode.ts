import type { ReadingValues } from '@inkling/contract'
import { Unsupported } from '../collect/unsupported.ts'

const DATABASE = 'inkling_durability'
const ROUNDS = 12
/** A single write is hardly longer than the steps of the browser's clock. */
const WRITES = 8
/** Slow disks differ so clearly that fewer rounds do. */
const ENOUGH_MS = 1_000

/**
 * Two things that differ where nothing may reach the disk. Firefox and Safari refuse files in private windows;
 * in Chromium's the storage lies in memory, so that a durable write costs no more than a relaxed one. What is
 * made here is removed again.
 */
export async function privateMode(): Promise<ReadingValues['private_mode']> {
  // In a sandboxed frame Chromium also leaves a second rejection behind, which the page would see.
  if (!window.indexedDB || window.origin === 'null') throw new Unsupported()
  const files = await filesAnswer()
  return { files, durability_ratio: files === 'ok' ? await durabilityRatio() : null }
}

/** `ok`, the name of the error, or empty where there is no such interface. */
async function filesAnswer(): Promise<string> {
  try {
    if (!navigator.storage?.getDirectory) return ''
    await navigator.storage.getDirectory()
    return 'ok'
  } catch (error) {
    return (error as Error).name
  }
}

/** Time of durable writes by that of relaxed ones; null where it cannot be told. */
async function durabilityRatio(): Promise<number | null> {
  const opening = indexedDB.open(DATABASE)
  opening.onupgradeneeded = () => opening.result.createObjectStore(DATABASE)
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    opening.onsuccess = () => resolve(opening.result)
    opening.onerror = reject
  })
  try {
    const timesMs = { relaxed: [] as number[], strict: [] as number[] }
    const startedAt = performance.now()
    for (let round = 0; round < ROUNDS && performance.now() - startedAt < ENOUGH_MS; round++)
      for (const durability of ['relaxed', 'strict'] as const)
        timesMs[durability].push(await writeMs(database, durability))
    const relaxedMs = fasterHalf(timesMs.relaxed)
    return relaxedMs > 0 ? fasterHalf(timesMs.strict) / relaxedMs : null
  } finally {
    database.close()
    await gone()
  }
}

/** Another tab that does the same keeps it a little longer, and removes it then. */
const gone = (): Promise<unknown> =>
  new Promise((resolve) => {
    const deletion = indexedDB.deleteDatabase(DATABASE)
    deletion.onsuccess = deletion.onerror = deletion.onblocked = resolve
  })

/** Their sum: whatever else the machine does makes rounds longer, never shorter. */
const fasterHalf = (times: number[]): number =>
  times
    .sort((a, b) => a - b)
    .slice(0, Math.ceil(times.length / 2))
    .reduce((sum, time) => sum + time)

/** One transaction after the other, as each is made durable by itself. */
async function writeMs(database: IDBDatabase, durability: 'relaxed' | 'strict'): Promise<number> {
  const startedAt = performance.now()
  for (let write = 0; write < WRITES; write++)
    await new Promise((resolve, reject) => {
      const transaction = database.transaction(DATABASE, 'readwrite', { durability })
      transaction.objectStore(DATABASE).put(write, write)
      transaction.oncomplete = resolve
      transaction.onabort = reject
    })
  return performance.now() - startedAt
}
