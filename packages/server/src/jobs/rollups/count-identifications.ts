import { sql } from 'kysely'
import { contributionsOf, ROLLUP_DIMENSIONS } from '../../store/roll-ups/contributions.ts'
import { advance, applyContributions, rollupProgress } from '../../store/roll-ups/counts.ts'
import type { Store } from '../../store/store.ts'

/** Identifications in one transaction. Measured: a reader thread is busy for 20 ms at a time, the writer for up to 50 ms. */
const BATCH_SIZE = 2_500
/** A row further ahead than clocks differ is counted as it is, because waiting for it would hold up all others. */
const CLOCK_SKEW_MS = 60_000

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
  { settledAfterMs, now, stopped = () => false, batchSize = BATCH_SIZE }: CountSettings,
): Promise<number> {
  let counted = 0
  // Rows that settle during this run wait for the next one: under load there would always be a few more.
  const nowMs = now()
  while (!stopped()) {
    const length = await countBatch(store, nowMs, settledAfterMs, batchSize)
    counted += length
    if (length < batchSize) break
  }
  return counted
}

/** @returns how many identifications it counted; 0 when none is left or another process was faster */
async function countBatch(
  store: Store,
  nowMs: number,
  settledAfterMs: number,
  batchSize: number,
): Promise<number> {
  const seen = await rollupProgress(store.jobReads)
  const settled = await settledAfter(store, seen.last_id, nowMs, settledAfterMs, batchSize)
  const lastId = settled.at(-1)
  if (lastId === undefined) return 0
  const rows = sql<boolean>`r.id > ${seen.last_id} and r.id <= ${lastId}`
  const groups: Awaited<ReturnType<typeof contributions>> = []
  // One query at a time, so that the reader thread can answer other queries in between.
  for (const dimension of ROLLUP_DIMENSIONS) groups.push(...(await contributions(dimension)))
  const added = await store.writes.transaction().execute(async (transaction) => {
    if (!(await advance(transaction, seen, lastId))) return false
    await applyContributions(transaction, groups, 1)
    return true
  })
  return added ? settled.length : 0

  async function contributions(dimension: (typeof ROLLUP_DIMENSIONS)[number]) {
    return (await contributionsOf(store.jobReads, [dimension], rows).execute(store.jobReads)).rows
  }
}

/** The next identifications that no late evidence can refine any more. */
async function settledAfter(
  store: Store,
  lastId: number,
  nowMs: number,
  settledAfterMs: number,
  batchSize: number,
): Promise<number[]> {
  const next = await store.jobReads
    .selectFrom('identifications')
    .select(['id', 'created_at'])
    .where('id', '>', lastId)
    .orderBy('id')
    .limit(batchSize)
    .execute()
  const isOpen = (atMs: number): boolean => atMs > nowMs - settledAfterMs && atMs <= nowMs + CLOCK_SKEW_MS
  const firstOpen = next.findIndex(({ created_at }) => isOpen(created_at))
  return (firstOpen === -1 ? next : next.slice(0, firstOpen)).map(({ id }) => id)
}
