import { type Kysely, sql } from 'kysely'
import { MINUTE_MS } from '../../lib/durations.ts'
import { type UuidBytes, uuidToText } from '../../lib/uuid.ts'
import type { Schema } from '../schema.ts'

/** The change feed passes no identification that is younger than this. */
export const SETTLED_MS = 1.5 * MINUTE_MS
/** Less than that by more than the clocks of nodes differ. */
const LATE_MS = MINUTE_MS

/** A condition in SQL: without a feed nothing is noted. */
export const FEED_IS_ON = 'exists (select 1 from change_feed where written_at is not null)'

/**
 * Whether the change feed may have passed an identification that changes now, so that the change has to be noted. Late
 * evidence comes within seconds: what is noted is nearly always a re-scoring. To be asked inside the transaction of the
 * change, which the feed waits for.
 */
export const isLateChange = (createdAtMs: number, nowMs: number): boolean =>
  Math.abs(nowMs - createdAtMs) > LATE_MS

/** Notes that an answered decision would be another one now. Needs the transaction of that change. */
export const noteChangedDecision = (
  transaction: Kysely<Schema>,
  { id, domain_id }: { id: number; domain_id: number },
  ver: number,
): Promise<unknown> =>
  sql`insert into late_changes (domain_id, kind, row_id, ver, key)
    select cast(${domain_id} as bigint), 'decision', cast(${id} as bigint), cast(${ver} as bigint), ''
    where ${sql.raw(FEED_IS_ON)} on conflict do nothing`.execute(transaction)

/** Notes that something was erased, so that whoever reads the feed erases it as well. Needs that transaction. */
export async function noteRemovals(
  transaction: Kysely<Schema>,
  domainId: number,
  keys: readonly string[],
): Promise<void> {
  if (keys.length === 0) return
  const { rows } = await sql`select 1 where ${sql.raw(FEED_IS_ON)}`.execute(transaction)
  if (rows.length === 0) return
  await transaction
    .insertInto('late_changes')
    .values(keys.map((key) => ({ domain_id: domainId, kind: 'removal', row_id: 0, ver: 0, key })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** The key of an identification in the feed. Markers have no ID of their own. */
export const identificationKey = (row: {
  id: number
  request_id: UuidBytes | null
  created_at: number
}): string =>
  `identification:${row.request_id === null ? `${row.created_at}-${row.id}` : uuidToText(row.request_id)}`

/** The key of a decision in the feed. */
export const decisionKey = (decisionId: string): string => `decision:${decisionId}`
