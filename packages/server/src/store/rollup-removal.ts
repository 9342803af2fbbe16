import { type Kysely, sql } from 'kysely'
import { NIL_UUID_BYTES } from '../lib/uuid.ts'
import { engineSql } from './engine-sql.ts'
import type { WhichRows } from './rollup-contributions.ts'
import { applyRows } from './rollup-counts.ts'
import { noteRemoval, rollupProgress } from './rollup-progress.ts'
import type { Schema } from './schema.ts'

/**
 * Keeps the counts what a count of the identifications would say, over a removal in the same transaction. The next
 * visit of each device and visitor is counted anew as well: another one, or none, comes before it then.
 */
export async function keepCounts(
  transaction: Kysely<Schema>,
  ids: readonly number[],
  remove: () => Promise<void>,
): Promise<void> {
  const { last_id } = await rollupProgress(transaction)
  const touched = new Set([...ids, ...(await nextVisits(transaction, ids))])
  const counted = [...touched].filter((id) => id <= last_id)
  // Whoever is counting these has read what is no longer so.
  if (counted.length < touched.size) await noteRemoval(transaction)
  await applyRows(transaction, among(transaction, counted), -1)
  await remove()
  await applyRows(transaction, among(transaction, counted), 1)
  await stepBack(transaction)
}

/** SQLite gives the greatest number again once its row is gone: what comes under it is not counted yet. */
const stepBack = (transaction: Kysely<Schema>): Promise<unknown> =>
  sql`
    update rollup_progress set last_id = greatest_id
    from (select coalesce(max(id), 0) as greatest_id from identifications) as kept
    where last_id > greatest_id`.execute(transaction)

/** One text instead of a parameter for each, whose statement would be another one each time. */
const among = (transaction: Kysely<Schema>, ids: readonly number[]): WhichRows => {
  const listed = engineSql(transaction).elements(sql`${JSON.stringify(ids)}`)
  return sql<boolean>`r.id in (select cast(cast(listed.value as text) as bigint) from ${listed} as listed)`
}

async function nextVisits(transaction: Kysely<Schema>, ids: readonly number[]): Promise<number[]> {
  const next = (name: 'device_id' | 'visitor_id') => sql`
    select (
      select later.id from identifications later
      where later.domain_id = r.domain_id and ${sql.ref(`later.${name}`)} = ${sql.ref(`r.${name}`)}
        and (later.created_at, later.id) > (r.created_at, r.id)
      order by later.created_at, later.id limit 1
    ) as id
    from identifications r
    where ${among(transaction, ids)} and ${sql.ref(`r.${name}`)} <> ${NIL_UUID_BYTES}`
  const { rows } = await sql<{ id: number | null }>`
    ${next('device_id')} union ${next('visitor_id')}`.execute(transaction)
  return rows.flatMap(({ id }) => id ?? [])
}
