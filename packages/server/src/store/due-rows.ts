import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely'
import { engineSql } from './engine-sql.ts'
import type { Schema } from './schema.ts'

/** Tables whose rows are taken when they are due, by one node at a time. */
type DueTable = 'outbox' | 'alert_deliveries'

interface DueRows<Row> {
  /** Takes due rows that meet a condition, oldest first; they belong to the caller until `heldUntil`. */
  claim(nowMs: number, heldUntil: number, limit: number, which?: RawBuilder<boolean>): Promise<Row[]>
  /** Whether any row is due. Cheaper than a claim, which writes. */
  anyDue(nowMs: number): Promise<boolean>
}

/** The IDs of due rows that meet a condition, oldest first. */
export const oldestDue = (
  db: Kysely<Schema>,
  table: DueTable,
  { nowMs, limit, which }: { nowMs: number; limit: number; which: RawBuilder<boolean> },
) =>
  engineSql(db).claiming(
    db
      .selectFrom(table)
      .select('id')
      .where('due_at', '<=', nowMs)
      .where(which)
      .orderBy('due_at')
      .limit(limit),
  )

/** @param postponedMsMax no row is postponed further; a later `due_at` comes from a clock that was ahead */
export const dueRows = <Table extends DueTable>(
  db: Kysely<Schema>,
  table: Table,
  postponedMsMax: number,
): DueRows<Selectable<Schema[Table]>> => ({
  async claim(nowMs, heldUntil, limit, which = sql<boolean>`true`) {
    const rows = sql.table(table)
    await sql`update ${rows} set due_at = ${nowMs} where due_at > ${nowMs + postponedMsMax}`.execute(db)
    const due = oldestDue(db, table, { nowMs, limit, which })
    // Materialized, because PostgreSQL may otherwise evaluate it for each row and lock other rows each time.
    const claimed = sql<Selectable<Schema[Table]>>`
      with due as materialized ${due}
      update ${rows} set due_at = ${heldUntil} where id in (select id from due) returning *`
    return (await claimed.execute(db)).rows
  },

  async anyDue(nowMs) {
    const row = await db
      .selectFrom(table as DueTable)
      .select(sql<number>`1`.as('due'))
      .where(({ eb, or }) => or([eb('due_at', '<=', nowMs), eb('due_at', '>', nowMs + postponedMsMax)]))
      .limit(1)
      .executeTakeFirst()
    return row !== undefined
  },
})
