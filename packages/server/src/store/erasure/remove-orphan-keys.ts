import { type Kysely, sql } from 'kysely'
import type { Schema } from '../schema.ts'
import type { Store } from '../store.ts'

/** Keys removed in one transaction. */
const BATCH = 500

interface KeyRow {
  key: number
  ordinal: number
}

/**
 * Removes keys whose device is gone. A device is listed under every key it ever had, and its profile knows only the
 * latest; the others are found by reading the domain's keys once, on a reader, while the writer works on.
 */
export async function removeOrphanKeys(store: Store, domainId: number): Promise<number> {
  let removed = 0
  let last: KeyRow = { key: -1, ordinal: -1 }
  for (;;) {
    const orphans = await orphansAfter(store.jobReads, domainId, last)
    for (const { key, ordinal } of orphans) last = { key, ordinal }
    if (orphans.length > 0)
      await store.writes.transaction().execute(async (transaction) => {
        for (const { key, ordinal } of orphans)
          await transaction
            .deleteFrom('device_keys')
            .where('domain_id', '=', domainId)
            .where('key', '=', key)
            .where('ordinal', '=', ordinal)
            .execute()
      })
    removed += orphans.length
    if (orphans.length < BATCH) return removed
  }
}

const orphansAfter = (db: Kysely<Schema>, domainId: number, last: KeyRow): Promise<KeyRow[]> =>
  db
    .selectFrom('device_keys')
    .select(['key', 'ordinal'])
    .where('domain_id', '=', domainId)
    .where(sql<boolean>`(key, ordinal) > (${last.key}, ${last.ordinal})`)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('devices')
            .select('devices.id')
            .whereRef('devices.id', '=', 'device_keys.device')
            .where('devices.domain_id', '=', domainId),
        ),
      ),
    )
    .orderBy('key')
    .orderBy('ordinal')
    .limit(BATCH)
    .execute()
