import { sql } from 'kysely'
import { contributionsOf, ROLLUP_DIMENSIONS } from '../../store/rollup-contributions.ts'
import { applyContributions } from '../../store/rollup-counts.ts'
import { advance, rollupProgress } from '../../store/rollup-progress.ts'
import type { Store } from '../../store/store.ts'

/** Identifications of one step: measured, it holds a reader thread for 20 ms at a time, and the writer for up to 50 ms. */
const CHUNK = 2_500
/** A row with a time further ahead than clocks differ is counted as it is: waiting for it would stop everything. */
const CLOCK_SKEW_MS = 60_000

export interface CountSettings {
  /** Identifications younger than this may still be refined. */
  settledAfterMs: number
  now(): number
  stopped?(): boolean
  chunk?: number
}

/**
 * Adds identifications to the counts by hour and day that the overview reads, chunk by chunk, each with its place
 * in one transaction: after a crash, or beside another process that counts, each is counted once.
 * @returns how many
 */
export async function countIdentifications(
  store: Store,
  { settledAfterMs, now, stopped = () => false, chunk = CHUNK }: CountSettings,
): Promise<number> {
  let counted = 0
  // What settles during this run is the next one's: under load some always does, a few rows for a whole chunk's work.
  const nowMs = now()
  while (!stopped()) {
    const length = await countChunk(store, nowMs, settledAfterMs, chunk)
    counted += length
    if (length < chunk) break
  }
  return counted
}

/** How many identifications were looked at; 0 when there is nothing to count. */
async function countChunk(
  store: Store,
  nowMs: number,
  settledAfterMs: number,
  chunk: number,
): Promise<number> {
  const seen = await rollupProgress(store.jobReads)
  const settled = await settledAfter(store, seen.last_id, nowMs, settledAfterMs, chunk)
  const lastId = settled.at(-1)
  if (lastId === undefined) return 0
  const rows = sql<boolean>`r.id > ${seen.last_id} and r.id <= ${lastId}`
  const groups: Awaited<ReturnType<typeof contributions>> = []
  // One at a time: in between, the reader thread answers others.
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

/** The next identifications that nothing will refine any more. */
async function settledAfter(
  store: Store,
  lastId: number,
  nowMs: number,
  settledAfterMs: number,
  chunk: number,
): Promise<number[]> {
  const next = await store.jobReads
    .selectFrom('identifications')
    .select(['id', 'created_at'])
    .where('id', '>', lastId)
    .orderBy('id')
    .limit(chunk)
    .execute()
  const isOpen = (atMs: number): boolean => atMs > nowMs - settledAfterMs && atMs <= nowMs + CLOCK_SKEW_MS
  const firstOpen = next.findIndex(({ created_at }) => isOpen(created_at))
  return (firstOpen === -1 ? next : next.slice(0, firstOpen)).map(({ id }) => id)
}
