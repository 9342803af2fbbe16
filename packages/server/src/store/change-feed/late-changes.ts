import { type Kysely, sql } from 'kysely'
import { type UuidBytes, uuidToText } from '../../lib/uuid.ts'
import type { Schema } from '../schema.ts'
import { FEED_IS_ON } from './is-late-change.ts'

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
