import type { ListKind } from '@inkling/contract'
import type { Kysely } from 'kysely'
import type { Schema } from '../schema.ts'
import type { Store } from '../store.ts'

/** The cases about these subjects. */
export async function caseIdsAbout(
  db: Kysely<Schema>,
  domainId: number,
  type: ListKind | 'finding',
  values: readonly string[],
): Promise<number[]> {
  if (values.length === 0) return []
  const rows = await db
    .selectFrom('cases')
    .select('id')
    .where('domain_id', '=', domainId)
    .where('subject_type', '=', type)
    .where('subject_value', 'in', values)
    .execute()
  return rows.map(({ id }) => id)
}

/** Removes the cases about these subjects with their timelines. Needs a transaction. */
export async function forgetCases(
  transaction: Kysely<Schema>,
  domainId: number,
  type: ListKind | 'finding',
  values: readonly string[],
): Promise<void> {
  await removeCases(transaction, domainId, await caseIdsAbout(transaction, domainId, type, values))
}

async function removeCases(db: Kysely<Schema>, domainId: number, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await db.deleteFrom('case_events').where('domain_id', '=', domainId).where('case_id', 'in', ids).execute()
  await db.deleteFrom('cases').where('domain_id', '=', domainId).where('id', 'in', ids).execute()
}

/** Removes some cases that were closed before a time. @returns how many */
export async function removeClosedCases(
  store: Store,
  domainId: number,
  beforeMs: number,
  limit: number,
): Promise<number> {
  const rows = await store.jobReads
    .selectFrom('cases')
    .select('id')
    .where('domain_id', '=', domainId)
    .where('status', '=', 'closed')
    .where('closed_at', '<', beforeMs)
    .limit(limit)
    .execute()
  const ids = rows.map(({ id }) => id)
  if (ids.length > 0)
    await store.writes.transaction().execute((transaction) => removeCases(transaction, domainId, ids))
  return ids.length
}
