import type { Kysely } from 'kysely'
import type { Schema } from './schema.ts'

/** A node that was not seen for this long is taken for dead. */
const ALIVE_MS = 10_000
const FORGOTTEN_MS = 60_000

/** The nodes that share the database. */
export const nodeStore = (db: Kysely<Schema>) => ({
  async seen(address: string, nowMs: number): Promise<void> {
    await db
      .insertInto('nodes')
      .values({ address, seen_at: nowMs })
      .onConflict((conflict) => conflict.column('address').doUpdateSet({ seen_at: nowMs }))
      .execute()
    await db
      .deleteFrom('nodes')
      .where('seen_at', '<', nowMs - FORGOTTEN_MS)
      .execute()
  },

  gone: (address: string): Promise<unknown> =>
    db.deleteFrom('nodes').where('address', '=', address).execute(),

  async alive(nowMs: number): Promise<string[]> {
    const rows = await db
      .selectFrom('nodes')
      .select('address')
      .where('seen_at', '>', nowMs - ALIVE_MS)
      .orderBy('address')
      .execute()
    return rows.map(({ address }) => address)
  },
})
