import { type Kysely, type Selectable, sql } from 'kysely'
import { engineSql } from '../engine-sql.ts'
import type { DeliveryTable, OutboxTable, Schema } from '../schema.ts'

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

export type DeliveryRow = Selectable<DeliveryTable>

/** In the words of the index on failures, so that it is used. */
const FAILED = sql<boolean>`status is null or status < 200 or status >= 300`

/** What was sent, and what became of it. */
export const deliveryStore = (db: Kysely<Schema>) => ({
  /**
   * One endpoint's sends, newest first.
   * @param beforeId only earlier ones than this
   */
  list(
    domainId: number,
    endpointId: number,
    page: { failedOnly: boolean; beforeId: number | undefined; limit: number },
  ): Promise<DeliveryRow[]> {
    let sends = db
      .selectFrom('deliveries')
      .selectAll()
      .where('domain_id', '=', domainId)
      .where('endpoint_id', '=', endpointId)
    if (page.failedOnly) sends = sends.where(sql<boolean>`(${FAILED})`)
    if (page.beforeId !== undefined) sends = sends.where('id', '<', page.beforeId)
    return sends.orderBy('id', 'desc').limit(page.limit).execute()
  },

  /** Every send that told of an identification, oldest first. */
  ofRequest: (domainId: number, requestId: Uint8Array): Promise<DeliveryRow[]> =>
    db
      .selectFrom('deliveries')
      .selectAll()
      .where('domain_id', '=', domainId)
      .where('request_id', '=', requestId)
      .orderBy('id')
      .execute(),
})

/** The newest sends that are looked at. */
const SENDS_MAX = 10_000

export interface EventBacklog {
  waiting: number
  /** When the oldest of them was due; undefined without any. */
  dueAt: number | undefined
}

export async function eventBacklog(db: Kysely<Schema>): Promise<EventBacklog> {
  const row = await db
    .selectFrom('outbox')
    .select(({ fn }) => [fn.countAll<number>().as('waiting'), fn.min('due_at').as('due_at')])
    .executeTakeFirstOrThrow()
  return { waiting: row.waiting, dueAt: (row.due_at as number | null) ?? undefined }
}

/** How many of the newest sends since a time were accepted. */
export async function sendsSince(
  db: Kysely<Schema>,
  sinceMs: number,
): Promise<{ sends: number; accepted: number }> {
  const newest = db
    .selectFrom('deliveries')
    .select(['sent_at', 'status'])
    .orderBy('id', 'desc')
    .limit(SENDS_MAX)
    .as('newest')
  const row = await db
    .selectFrom(newest)
    .where('sent_at', '>=', sinceMs)
    .select(({ fn }) => [
      fn.countAll<number>().as('sends'),
      fn.sum<number | null>(sql`case when status between 200 and 299 then 1 else 0 end`).as('accepted'),
    ])
    .executeTakeFirstOrThrow()
  return { sends: row.sends, accepted: row.accepted ?? 0 }
}

/** Near enough, without counting them: numbers are given one after another, and the oldest are removed first. */
export async function identificationsStored(db: Kysely<Schema>): Promise<number> {
  const { count } = await db
    .selectFrom('identifications')
    .select(sql<number | null>`max(id) - min(id) + 1`.as('count'))
    .executeTakeFirstOrThrow()
  return count ?? 0
}
