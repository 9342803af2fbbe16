import { type Kysely, sql } from 'kysely'
import { engineSql } from '../engine-sql.ts'
import type { Schema } from '../schema.ts'
import type { Store } from '../store.ts'
import type { VelocityKey } from './velocity-batch.ts'

/** Rows read at a time. Few of them are old, so that each removal is short. */
const BATCH = 1_000

type Row = VelocityKey & { updated_at: number }

/**
 * Removes the states of subjects whose latest visit is in no window any more. It reads the table once, on a reader: an
 * index by time would cost every visit more than this costs in an hour.
 */
export async function removeOldVelocity(
  store: Pick<Store, 'jobReads' | 'writes' | 'velocity'>,
  beforeMs: number,
  stopped = () => false,
): Promise<number> {
  // The time of what is only logged is not in the table, and the log keeps nothing for longer than the table.
  await store.velocity.settle()
  let removed = 0
  let last: VelocityKey = { domain_id: -1, subject: 0, hash: new Uint8Array() }
  while (!stopped()) {
    const rows = await rowsAfter(store.jobReads, last)
    const old = rows.filter(({ updated_at }) => updated_at < beforeMs)
    if (old.length > 0)
      await store.writes.transaction().execute(async (transaction) => {
        await engineSql(transaction).holdCounts(transaction, [
          ...new Set(old.map(({ domain_id }) => domain_id)),
        ])
        for (const key of old) await removeState(transaction, key, beforeMs)
      })
    removed += old.length
    const end = rows.at(-1)
    if (!end || rows.length < BATCH) break
    last = end
  }
  return removed
}

const rowsAfter = (db: Kysely<Schema>, { domain_id, subject, hash }: VelocityKey): Promise<Row[]> =>
  db
    .selectFrom('velocity')
    .select(['domain_id', 'subject', 'hash', 'updated_at'])
    .where(sql<boolean>`(domain_id, subject, hash) > (${domain_id}, ${subject}, ${hash})`)
    .orderBy('domain_id')
    .orderBy('subject')
    .orderBy('hash')
    .limit(BATCH)
    .execute()

/** Unless there was a visit since. */
const removeState = (
  transaction: Kysely<Schema>,
  { domain_id, subject, hash }: VelocityKey,
  beforeMs: number,
): Promise<unknown> =>
  transaction
    .deleteFrom('velocity')
    .where('domain_id', '=', domain_id)
    .where('subject', '=', subject)
    .where('hash', '=', hash)
    .where('updated_at', '<', beforeMs)
    .execute()
