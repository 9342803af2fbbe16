import { type Kysely, type Selectable, sql } from 'kysely'
import { engineSql } from './engine-sql.ts'
import type { OutboxTable, Schema } from './schema.ts'

export type OutboxRow = Selectable<OutboxTable>

/** Nothing is ever put off so long: an entry that seems to be was written by a clock that went ahead. */
const PUT_OFF_MS_MAX = 15 * 60_000
const RELEASED_AT_ONCE = 500

/** Events that are committed and not yet sent. */
export const outboxStore = (db: Kysely<Schema>) => ({
  /** Takes entries that nobody holds, oldest first, and holds them until `heldUntil`. */
  async claim(nowMs: number, heldUntil: number, limit: number): Promise<OutboxRow[]> {
    await db
      .updateTable('outbox')
      .set({ due_at: nowMs })
      .where('due_at', '>', nowMs + PUT_OFF_MS_MAX)
      .execute()
    return (
      db
        // Of its own, or PostgreSQL may run it for every row, and take others each time.
        .with(
          (due) => due('due').materialized(),
          (due) =>
            engineSql(db).claiming(
              due
                .selectFrom('outbox')
                .select('id')
                .where('due_at', '<=', nowMs)
                .orderBy('due_at')
                .limit(limit),
            ),
        )
        .updateTable('outbox')
        .set({ due_at: heldUntil })
        .where('id', 'in', (claimed) => claimed.selectFrom('due').select('due.id'))
        .returningAll()
        .execute()
    )
  },

  /** Makes entries due that the caller holds. */
  async release(ids: readonly number[], nowMs: number): Promise<void> {
    for (let from = 0; from < ids.length; from += RELEASED_AT_ONCE)
      await db
        .updateTable('outbox')
        .set({ due_at: nowMs })
        .where('id', 'in', ids.slice(from, from + RELEASED_AT_ONCE))
        .execute()
  },

  /** Whether anything is due: cheaper than a claim, which writes. */
  async anyDue(nowMs: number): Promise<boolean> {
    const row = await db
      .selectFrom('outbox')
      .select(sql<number>`1`.as('due'))
      .where(({ eb, or }) => or([eb('due_at', '<=', nowMs), eb('due_at', '>', nowMs + PUT_OFF_MS_MAX)]))
      .limit(1)
      .executeTakeFirst()
    return row !== undefined
  },
})
