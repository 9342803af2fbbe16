import type { Insertable, Kysely, Selectable } from 'kysely'
import type { AssistantClientTable } from '../assistant-tables.ts'
import type { Schema } from '../schema.ts'

export type AssistantClientRow = Selectable<AssistantClientTable>

/** Assistants that registered. `db` is a connection or an open transaction. */
export const assistantClientStore = (db: Kysely<Schema>) => ({
  find: (id: string, nowMs: number): Promise<AssistantClientRow | undefined> =>
    db
      .selectFrom('assistant_clients')
      .selectAll()
      .where('id', '=', id)
      .where('expires_at', '>', nowMs)
      .executeTakeFirst(),

  add: (row: Insertable<AssistantClientTable>): Promise<unknown> =>
    db.insertInto('assistant_clients').values(row).execute(),

  keepUntil: (id: string, expiresAtMs: number): Promise<unknown> =>
    db
      .updateTable('assistant_clients')
      .set({ expires_at: expiresAtMs })
      .where('id', '=', id)
      .where('expires_at', '<', expiresAtMs)
      .execute(),

  /** Removes those that would be forgotten next, until at most so many are left. */
  async keepLatest(max: number): Promise<void> {
    const surplus = await db
      .selectFrom('assistant_clients')
      .select('id')
      .orderBy('expires_at', 'desc')
      .orderBy('id')
      .offset(max)
      .limit(max)
      .execute()
    const ids = surplus.map(({ id }) => id)
    if (ids.length > 0) await db.deleteFrom('assistant_clients').where('id', 'in', ids).execute()
  },

  removeExpired: (nowMs: number): Promise<unknown> =>
    db.deleteFrom('assistant_clients').where('expires_at', '<=', nowMs).execute(),
})
