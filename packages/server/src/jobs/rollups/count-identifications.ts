import { type IdRange, inRange, nextIdRange } from '../../store/identifications/id-range.ts'
import { type Contribution, contributionsOf, ROLLUP_DIMENSIONS } from '../../store/roll-ups/contributions.ts'
import {
  advance,
  applyContributions,
  countAgainIfKilled,
  type RollupProgress,
  rollupProgress,
} from '../../store/roll-ups/counts.ts'
import type { Store } from '../../store/store.ts'

/**
 * How many numbers of identifications one transaction goes through. With the embedded database a reader thread is busy for
 * 20 ms at a time and the writer for up to 50 ms. A cluster is asked about thirty times for each, however many they are.
 */
const BATCH_SIZES = { sqlite: 2_500, postgres: 20_000 } as const

export interface CountSettings {
  /** Identifications younger than this may still be refined. */
  settledAfterMs: number
  now(): number
  stopped?(): boolean
  batchSize?: number
}

/**
 * Adds identifications to the counts by hour and day that the overview reads, batch by batch. Each
 * transaction also moves the cursor, so a crash or a second process counts nothing twice.
 * @returns how many identifications it counted
 */
export async function countIdentifications(
  store: Store,
  { settledAfterMs, now, stopped = () => false, batchSize = BATCH_SIZES[store.engine] }: CountSettings,
): Promise<number> {
  let counted = 0
  // Rows that settle during this run wait for the next one: under load there would always be a few more.
  const limits = { nowMs: now(), settledAfterMs, limit: batchSize }
  await countAgainIfKilled(store, limits.nowMs)
  while (!stopped()) {
    const seen = await rollupProgress(store.jobReads)
    const range = await nextIdRange(store, seen.last_id, limits)
    if (!range || !(await countRange(store, seen, range))) break
    counted += range.count
    if (range.isLast) break
  }
  return counted
}

/** @returns false when another process was faster */
async function countRange(store: Store, seen: RollupProgress, range: IdRange): Promise<boolean> {
  const rows = inRange(store.jobReads, range, 'r')
  const ofDimensions: Contribution[][] = []
  // One query at a time, so that the reader thread can answer other queries in between.
  for (const dimension of ROLLUP_DIMENSIONS)
    ofDimensions.push((await contributionsOf(store.jobReads, [dimension], rows).execute(store.jobReads)).rows)
  return store.writes.transaction().execute(async (transaction) => {
    if (!(await advance(transaction, seen, range.through))) return false
    await applyContributions(transaction, ofDimensions.flat(), 1)
    return true
  })
}
