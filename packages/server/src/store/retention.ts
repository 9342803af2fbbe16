import { domainStore } from './domains.ts'
import { removeIdentifications } from './erase.ts'
import { dropOldPartitions } from './postgres/drop-old-partitions.ts'
import type { Store } from './store.ts'

/** Few enough that identifications which come in meanwhile wait a moment at most. */
const BATCH = 500

/**
 * Removes what is older than `beforeMs`: identifications with all that hangs on them, and the log of
 * deliveries. Batch by batch, oldest first, so that it can be stopped at any time and goes on the next time.
 * @returns how many identifications were removed
 */
export async function removeOlder(store: Store, beforeMs: number, stopped = () => false): Promise<number> {
  let removed = 0
  for (const { id } of await domainStore(store.jobReads).list())
    removed += await batches(() => removeRows(store, id, beforeMs), stopped)
  await batches(() => removeDeliveries(store, beforeMs), stopped)
  await store.writes.deleteFrom('sticky_verdicts').where('created_at', '<', beforeMs).execute()
  if (store.engine === 'postgres') await dropOldPartitions(store.writes, beforeMs)
  return removed
}

/** Runs until a batch is not full. */
async function batches(run: () => Promise<number>, stopped: () => boolean): Promise<number> {
  let total = 0
  while (!stopped()) {
    const count = await run()
    total += count
    if (count < BATCH) break
  }
  return total
}

async function removeRows(store: Store, domainId: number, beforeMs: number): Promise<number> {
  // Looked for on a reader: only the removal itself holds up the writer.
  const rows = await store.jobReads
    .selectFrom('identifications')
    .select(['id', 'request_id', 'device_id'])
    .where('domain_id', '=', domainId)
    .where('created_at', '<', beforeMs)
    .orderBy('created_at')
    .limit(BATCH)
    .execute()
  if (rows.length > 0)
    await store.writes
      .transaction()
      .execute((transaction) => removeIdentifications(transaction, domainId, rows))
  return rows.length
}

/** Sends of what has no row of its own, such as markers; their numbers grow with time. */
async function removeDeliveries(store: Store, beforeMs: number): Promise<number> {
  const oldest = await store.jobReads
    .selectFrom('deliveries')
    .select(['id', 'sent_at'])
    .orderBy('id')
    .limit(BATCH)
    .execute()
  const old = oldest.flatMap(({ id, sent_at }) => (sent_at < beforeMs ? [id] : []))
  if (old.length > 0) await store.writes.deleteFrom('deliveries').where('id', 'in', old).execute()
  return old.length
}
