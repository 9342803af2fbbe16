import { type Kysely, type Selectable, sql } from 'kysely'
import type { OutboxTable, Schema } from './schema.ts'

export type OutboxRow = Selectable<OutboxTable>

/** Events that are committed and not yet sent. */
export const outboxStore = (db: Kysely<Schema>) => ({
  /** Takes entries that nobody holds, oldest first, and holds them until `heldUntil`. */
  claim: (nowMs: number, heldUntil: number, limit: number): Promise<OutboxRow[]> =>
    db
      .updateTable('outbox')
      .set({ due_at: heldUntil })
      .where('id', 'in', (due) =>
        due.selectFrom('outbox').select('id').where('due_at', '<=', nowMs).orderBy('due_at').limit(limit),
      )
      .returningAll()
      .execute(),

  /** Whether anything is due: cheaper than a claim, which writes. */
  async anyDue(nowMs: number): Promise<boolean> {
    const row = await db
      .selectFrom('outbox')
      .select(sql<number>`1`.as('due'))
      .where('due_at', '<=', nowMs)
      .limit(1)
      .executeTakeFirst()
    return row !== undefined
  },
})
