import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely'
import { takeRows } from '../due-rows.ts'
import { engineSql } from '../engine-sql.ts'
import type { Schema } from '../schema.ts'
import type { DeliveryTable, OutboxTable } from '../visit-tables.ts'

export type OutboxRow = Selectable<OutboxTable>
export type DeliveryRow = Selectable<DeliveryTable>

/** No entry is postponed further than this; a later `due_at` comes from a clock that was ahead. */
const POSTPONED_MS_MAX = 15 * 60_000
/** Entries in one statement. */
const RELEASE_BATCH = 500
/** Endpoints in one claim. */
const ENDPOINTS_AT_ONCE = 50

/**
 * Endpoints with due entries, those with the oldest first. It goes from endpoint to endpoint in the index, and so reads
 * no backlog (https://wiki.postgresql.org/wiki/Loose_indexscan).
 */
export const endpointsWithDue = (nowMs: number): RawBuilder<{ endpoint: number }> => sql`
  with recursive waiting (endpoint) as (
    select min(endpoint_id) from outbox
    union all
    select (select min(endpoint_id) from outbox where endpoint_id > waiting.endpoint)
    from waiting where waiting.endpoint is not null),
  times as (
    select endpoint,
      (select min(due_at) from outbox where endpoint_id = waiting.endpoint) as first_at,
      (select max(due_at) from outbox where endpoint_id = waiting.endpoint) as last_at
    from waiting where endpoint is not null)
  select endpoint from times
  where first_at <= ${nowMs} or last_at > ${nowMs + POSTPONED_MS_MAX} order by first_at`

/** The IDs of the oldest due entries of each endpoint, with its share of the limit. */
export function oldestDue(
  db: Kysely<Schema>,
  endpointIds: readonly number[],
  { nowMs, limit }: { nowMs: number; limit: number },
): RawBuilder<{ id: number }> {
  const share = Math.floor(limit / endpointIds.length)
  const ofEndpoint = (id: number) =>
    engineSql(db).claiming(
      db
        .selectFrom('outbox')
        .select('id')
        .where('endpoint_id', '=', id)
        .where('due_at', '<=', nowMs)
        .orderBy('due_at')
        .limit(share),
    )
  const parts = endpointIds.map((id) => sql`select id from ${ofEndpoint(id)} as oldest`)
  return sql`${sql.join(parts, sql` union all `)}`
}

/** Events that wait to be sent. */
export const outboxStore = (db: Kysely<Schema>) => ({
  /** Those with the oldest due entries first. Cheaper than a claim, which writes. */
  async dueEndpoints(nowMs: number): Promise<number[]> {
    const { rows } = await endpointsWithDue(nowMs).execute(db)
    return rows.map(({ endpoint }) => endpoint)
  },

  /**
   * Takes the oldest due entries of the first of these endpoints; they belong to the caller until `heldUntil`. Each
   * endpoint has the same share of the limit, so that there may be more when there are fewer entries than that.
   */
  async claim(
    nowMs: number,
    heldUntil: number,
    limit: number,
    endpointIds: readonly number[],
  ): Promise<OutboxRow[]> {
    const asked = endpointIds.slice(0, Math.min(limit, ENDPOINTS_AT_ONCE))
    if (asked.length === 0) return []
    await db
      .updateTable('outbox')
      .set({ due_at: nowMs })
      .where('endpoint_id', 'in', asked)
      .where('due_at', '>', nowMs + POSTPONED_MS_MAX)
      .execute()
    return takeRows(db, 'outbox', oldestDue(db, asked, { nowMs, limit }), heldUntil)
  },

  /** Gives back entries that belong to the caller: they are due now. */
  async release(ids: readonly number[], nowMs: number): Promise<void> {
    for (let from = 0; from < ids.length; from += RELEASE_BATCH)
      await db
        .updateTable('outbox')
        .set({ due_at: nowMs })
        .where('id', 'in', ids.slice(from, from + RELEASE_BATCH))
        .execute()
  },

  /** Makes each first send due that a process has held. Only where no process that may still hold one runs. */
  releaseHeld: (nowMs: number): Promise<unknown> =>
    db
      .updateTable('outbox')
      .set({ due_at: nowMs })
      // By the index, which has the endpoint first.
      .where('endpoint_id', 'in', db.selectFrom('endpoints').select('id'))
      .where('due_at', '>', nowMs)
      .where('attempts', '=', 0)
      .execute(),

  /** The pending events of an identification, oldest first. */
  ofRequest: (domainId: number, requestId: Uint8Array): Promise<OutboxRow[]> =>
    db
      .selectFrom('outbox')
      .selectAll()
      .where('domain_id', '=', domainId)
      .where('request_id', '=', requestId)
      .orderBy('id')
      .execute(),
})

/** The condition of the index on failures, in the same words, so that the engines use it. */
const FAILED = sql<boolean>`status is null or status < 200 or status >= 300`

/** The log of attempts to send events. */
export const deliveryStore = (db: Kysely<Schema>) => ({
  /**
   * The attempts of one endpoint, newest first.
   * @param page.beforeId only attempts before this one
   */
  list(
    domainId: number,
    endpointId: number,
    page: { failedOnly: boolean; beforeId: number | undefined; limit: number },
  ): Promise<DeliveryRow[]> {
    let attempts = db
      .selectFrom('deliveries')
      .selectAll()
      .where('domain_id', '=', domainId)
      .where('endpoint_id', '=', endpointId)
    if (page.failedOnly) attempts = attempts.where(sql<boolean>`(${FAILED})`)
    if (page.beforeId !== undefined) attempts = attempts.where('id', '<', page.beforeId)
    return attempts.orderBy('id', 'desc').limit(page.limit).execute()
  },

  /** All attempts for an identification, oldest first. */
  ofRequest: (domainId: number, requestId: Uint8Array): Promise<DeliveryRow[]> =>
    db
      .selectFrom('deliveries')
      .selectAll()
      .where('domain_id', '=', domainId)
      .where('request_id', '=', requestId)
      .orderBy('id')
      .execute(),
})

export interface EventBacklog {
  waiting: number
  /** When the oldest waiting event was due; undefined without any. */
  dueAt: number | undefined
}

export const eventBacklog = async (db: Kysely<Schema>): Promise<EventBacklog> =>
  joinBacklogs((await backlogsByDomain(db)).values())

/** The backlog of each domain that has one. */
export async function backlogsByDomain(db: Kysely<Schema>): Promise<Map<number, EventBacklog>> {
  const rows = await db
    .selectFrom('outbox')
    .select(({ fn }) => ['domain_id', fn.countAll<number>().as('waiting'), fn.min('due_at').as('due_at')])
    .groupBy('domain_id')
    .execute()
  return new Map(
    rows.map(({ domain_id, waiting, due_at }) => [domain_id, { waiting, dueAt: Number(due_at) }]),
  )
}

export function joinBacklogs(backlogs: Iterable<EventBacklog>): EventBacklog {
  const joined: EventBacklog = { waiting: 0, dueAt: undefined }
  for (const { waiting, dueAt } of backlogs) {
    joined.waiting += waiting
    joined.dueAt = Math.min(joined.dueAt ?? Number.POSITIVE_INFINITY, dueAt ?? Number.POSITIVE_INFINITY)
  }
  return joined
}

/** Newest attempts that the success rate is computed from. */
const RECENT_ATTEMPTS_MAX = 10_000

export interface Sends {
  sends: number
  accepted: number
}

/** How many of the recent attempts since a time succeeded, for each domain with any. */
export async function sendsByDomain(db: Kysely<Schema>, sinceMs: number): Promise<Map<number, Sends>> {
  const newest = db
    .selectFrom('deliveries')
    .select(['domain_id', 'sent_at', 'status'])
    .orderBy('id', 'desc')
    .limit(RECENT_ATTEMPTS_MAX)
    .as('newest')
  const rows = await db
    .selectFrom(newest)
    .where('sent_at', '>=', sinceMs)
    .select(({ fn }) => [
      'domain_id',
      fn.countAll<number>().as('sends'),
      fn.sum<number | null>(sql`case when status between 200 and 299 then 1 else 0 end`).as('accepted'),
    ])
    .groupBy('domain_id')
    .execute()
  return new Map(
    rows.map(({ domain_id, sends, accepted }) => [domain_id, { sends, accepted: accepted ?? 0 }]),
  )
}
