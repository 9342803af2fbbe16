import { type Kysely, sql } from 'kysely'
import type { Schema } from './schema.ts'

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
