import { type Kysely, sql } from 'kysely'
import type { ClientBase } from 'pg'
import type { RowOf } from '../columns.ts'
import type { Schema } from '../schema.ts'
import { type ArrayStatement, arrayStatement, hexOf, runIfAny } from './array-statement.ts'
import { turnsOf } from './worker-turns.ts'

const REQUEST = { domain_id: 'integer', request_id: 'bytes', created_at: 'integer' } as const
export type UsedRequest = RowOf<typeof REQUEST>

type Answered = ArrayStatement<UsedRequest, { request_id: Uint8Array }>

/** @returns the request IDs that were not used before, in hexadecimal digits */
export const useRequests = (client: ClientBase, requests: readonly UsedRequest[]) =>
  answered(USE, client, requests)

/**
 * Where tables are split over machines, a request ID that another domain used is known for a day.
 * @returns the request IDs that no domain used of late, in hexadecimal digits
 */
export const takeRecentRequests = (client: ClientBase, requests: readonly UsedRequest[]) =>
  answered(TAKE_RECENT, client, requests)

/** Lets request IDs be used again. */
export async function releaseRequests(client: ClientBase, requests: readonly UsedRequest[]): Promise<void> {
  await Promise.all([
    runIfAny(RELEASE, client, requests),
    turnsOf(client) && runIfAny(RELEASE_RECENT, client, requests),
  ])
}

/** Sorted, so that all transactions lock request IDs in the same order and cannot deadlock. */
async function answered(
  statement: Answered,
  client: ClientBase,
  requests: readonly UsedRequest[],
): Promise<ReadonlySet<string>> {
  if (requests.length === 0) return new Set()
  const sorted = requests.toSorted((a, b) => Buffer.compare(a.request_id, b.request_id))
  return new Set((await statement.run(client, sorted)).map(({ request_id }) => hexOf(request_id)))
}

/** @param nowMs they are kept for a day */
export const forgetRecentRequests = (writes: Kysely<Schema>, nowMs: number): Promise<unknown> =>
  sql`delete from recent_requests where created_at < ${nowMs - DAY_MS}`.execute(writes)

const DAY_MS = 86_400_000

const ANSWER = { request_id: 'bytes' } as const
const insertText = (rows: string, table: string): string => `
  insert into ${table} (domain_id, request_id, created_at)
  select domain_id, request_id, created_at from ${rows} on conflict do nothing returning request_id`
const releaseText = (rows: string, table: string): string => `
  delete from ${table} as used using ${rows}
  where used.domain_id = given.domain_id and used.request_id = given.request_id`

const USE = arrayStatement(
  'use requests',
  REQUEST,
  (rows, place) => insertText(rows, place.table('request_ids')),
  ANSWER,
)
const TAKE_RECENT = arrayStatement(
  'take recent requests',
  REQUEST,
  (rows) => insertText(rows, 'recent_requests'),
  ANSWER,
)
const RELEASE = arrayStatement('release requests', REQUEST, (rows, place) =>
  releaseText(rows, place.table('request_ids')),
)
const RELEASE_RECENT = arrayStatement('release recent requests', REQUEST, (rows) =>
  releaseText(rows, 'recent_requests'),
)
