import { type Kysely, type Selectable, sql } from 'kysely'
import type { AlertDeliveryTable, AlertEventTable } from '../alert-tables.ts'
import { takeRows } from '../due-rows.ts'
import { engineSql } from '../engine-sql.ts'
import type { Schema } from '../schema.ts'
import type { AlertRow } from './record-events.ts'

export type AlertDeliveryRow = Selectable<AlertDeliveryTable>
export type AlertEventRow = Selectable<AlertEventTable>

/** No message is postponed further than this; a later `due_at` comes from a clock that was ahead. */
const POSTPONED_MS_MAX = 2 * 3_600_000

/** Messages of alerts. `db` is a connection or an open transaction. */
export const alertDeliveryStore = (db: Kysely<Schema>) => ({
  /** Whether any message is due. Cheaper than a claim, which writes. */
  async anyDue(nowMs: number): Promise<boolean> {
    const row = await db
      .selectFrom('alert_deliveries')
      .select('id')
      .where(({ eb, or }) => or([eb('due_at', '<=', nowMs), eb('due_at', '>', nowMs + POSTPONED_MS_MAX)]))
      .limit(1)
      .executeTakeFirst()
    return row !== undefined
  },

  /** Takes due messages, oldest first; they belong to the caller until `heldUntil`. */
  async claim(nowMs: number, heldUntil: number, limit: number): Promise<AlertDeliveryRow[]> {
    await db
      .updateTable('alert_deliveries')
      .set({ due_at: nowMs })
      .where('due_at', '>', nowMs + POSTPONED_MS_MAX)
      .execute()
    const due = engineSql(db).claiming(
      db
        .selectFrom('alert_deliveries')
        .select('id')
        .where('due_at', '<=', nowMs)
        .orderBy('due_at')
        .limit(limit),
    )
    return takeRows(db, 'alert_deliveries', sql`select id from ${due} as oldest`, heldUntil)
  },

  record: (
    { domain_id, id }: Pick<AlertDeliveryRow, 'domain_id' | 'id'>,
    outcome: Pick<AlertDeliveryRow, 'attempts' | 'due_at' | 'sent_at' | 'answer'>,
  ): Promise<unknown> =>
    db
      .updateTable('alert_deliveries')
      .set(outcome)
      .where('domain_id', '=', domain_id)
      .where('id', '=', id)
      .execute(),

  ofAlerts: async (domainId: number, alertIds: readonly number[]): Promise<AlertDeliveryRow[]> =>
    alertIds.length === 0
      ? []
      : db
          .selectFrom('alert_deliveries')
          .selectAll()
          .where('domain_id', '=', domainId)
          .where('alert_id', 'in', alertIds)
          .orderBy('id')
          .execute(),
})

/** Alerts with their events. Every method takes the domain first. */
export const alertStore = (db: Kysely<Schema>) => ({
  /** Newest first, those before the number `before`. */
  page(domainId: number, before: number | undefined, limit: number): Promise<AlertRow[]> {
    let rows = db.selectFrom('alerts').selectAll().where('domain_id', '=', domainId)
    if (before !== undefined) rows = rows.where('id', '<', before)
    return rows.orderBy('id', 'desc').limit(limit).execute()
  },

  find: (domainId: number, id: number): Promise<AlertRow | undefined> =>
    db
      .selectFrom('alerts')
      .selectAll()
      .where('domain_id', '=', domainId)
      .where('id', '=', id)
      .executeTakeFirst(),

  /** In the order in which they joined, those after a position. */
  events: (domainId: number, alertId: number, limit: number, after = 0): Promise<AlertEventRow[]> =>
    db
      .selectFrom('alert_events')
      .selectAll()
      .where('domain_id', '=', domainId)
      .where('alert_id', '=', alertId)
      .where('position', '>', after)
      .orderBy('position')
      .limit(limit)
      .execute(),
})
