import { type Kysely, sql } from 'kysely'
import { NIL_UUID_BYTES } from '../../lib/uuid.ts'
import type { RollupProgressTable } from '../count-tables.ts'
import { engineSql } from '../engine-sql.ts'
import type { Schema } from '../schema.ts'
import {
  type Contribution,
  contributionsOf,
  daysOf,
  ROLLUP_DIMENSIONS,
  type WhichRows,
} from './contributions.ts'

/** Adds contributions to the counts of their hours and days; with -1 subtracts them. */
export async function applyContributions(
  transaction: Kysely<Schema>,
  hours: readonly Contribution[],
  sign: 1 | -1,
): Promise<void> {
  if (hours.length === 0) return
  const groups = engineSql(transaction).elements(
    sql`${encode([
      ...hours.map((group) => ({ ...group, span_hours: 1 })),
      ...daysOf(hours).map((group) => ({ ...group, span_hours: 24 })),
    ])}`,
  )
  await sql`
    insert into rollups as counted (domain_id, span_hours, dimension, start, value, identifications, scored, score_sum, points_sum)
    select ${KEY}, ${sign} * ${number(5)}, ${sign} * ${number(6)}, ${sign} * ${number(7)}, ${sign} * ${number(8)}
    from ${groups} as given where true
    on conflict (domain_id, span_hours, dimension, start, value) do update set
      identifications = counted.identifications + excluded.identifications,
      scored = counted.scored + excluded.scored,
      score_sum = counted.score_sum + excluded.score_sum,
      points_sum = counted.points_sum + excluded.points_sum`.execute(transaction)
  if (sign === -1)
    await sql`
      delete from rollups
      where (domain_id, span_hours, dimension, start, value) in (select ${KEY} from ${groups} as given)
        and identifications = 0`.execute(transaction)
}

/** Adds identifications to the counts; with -1 subtracts them. */
async function applyRows(transaction: Kysely<Schema>, rows: WhichRows, sign: 1 | -1): Promise<void> {
  const { rows: groups } = await contributionsOf(transaction, ROLLUP_DIMENSIONS, rows).execute(transaction)
  await applyContributions(transaction, groups, sign)
}

const number = (index: number) => sql`cast(given.value ->> ${sql.lit(index)} as bigint)`
const text = (index: number) => sql`given.value ->> ${sql.lit(index)}`
const KEY = sql`${number(0)}, ${number(1)}, ${text(2)}, ${number(3)}, ${text(4)}`

/** One JSON parameter instead of thousands, so that the statement's text stays the same. */
const encode = (groups: readonly (Contribution & { span_hours: number })[]): string =>
  JSON.stringify(
    groups.map(({ domain_id, span_hours, dimension, start, value, identifications, ...sums }) => [
      domain_id,
      span_hours,
      dimension,
      start,
      value,
      identifications,
      sums.scored,
      sums.score_sum,
      sums.points_sum,
    ]),
  )

/**
 * Removes identifications and keeps the counts correct, in one transaction. The next visit of each device and visitor
 * is counted again, because its previous visit changes.
 */
export async function keepCounts(
  transaction: Kysely<Schema>,
  ids: readonly number[],
  remove: () => Promise<void>,
): Promise<void> {
  const { last_id } = await rollupProgress(transaction)
  const touched = new Set([...ids, ...(await nextVisits(transaction, ids))])
  const counted = [...touched].filter((id) => id <= last_id)
  // A job that is counting these rows has read rows that no longer exist.
  if (counted.length < touched.size) await noteRemoval(transaction)
  await applyRows(transaction, among(transaction, counted), -1)
  await remove()
  await applyRows(transaction, among(transaction, counted), 1)
  await stepBack(transaction)
}

/** SQLite reuses the highest ID once its row is removed; the new row is not counted yet. */
const stepBack = (transaction: Kysely<Schema>): Promise<unknown> =>
  sql`
    update rollup_progress set last_id = greatest_id
    from (select coalesce(max(id), 0) as greatest_id from identifications) as kept
    where last_id > greatest_id`.execute(transaction)

/** One JSON parameter instead of one for each ID, so that the statement's text stays the same. */
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

type RollupProgress = Pick<RollupProgressTable, 'last_id' | 'removals'>

/** How far identifications have been counted. */
export const rollupProgress = (db: Kysely<Schema>): Promise<RollupProgress> =>
  db.selectFrom('rollup_progress').select(['last_id', 'removals']).executeTakeFirstOrThrow()

/** An upper bound for the identifications that are not counted yet. */
export async function uncounted(db: Kysely<Schema>): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select coalesce((select max(id) from identifications), 0) - last_id as count from rollup_progress`.execute(
    db,
  )
  return Math.max(0, rows[0]?.count ?? 0)
}

/**
 * Records that everything up to an identification is counted.
 * @returns false if another process has counted or removed identifications since `seen` was read; the caller must
 *   then discard its counts
 */
export async function advance(
  transaction: Kysely<Schema>,
  seen: RollupProgress,
  lastId: number,
): Promise<boolean> {
  const moved = await transaction
    .updateTable('rollup_progress')
    .set({ last_id: lastId })
    .where('last_id', '=', seen.last_id)
    .where('removals', '=', seen.removals)
    .executeTakeFirst()
  return moved.numUpdatedRows === 1n
}

const noteRemoval = (transaction: Kysely<Schema>): Promise<unknown> =>
  transaction
    .updateTable('rollup_progress')
    .set(({ eb }) => ({ removals: eb('removals', '+', 1) }))
    .execute()

/** Discards all counts, so that the job counts again. Needed after counted rows have changed. */
export const countAgain = (writes: Kysely<Schema>): Promise<void> =>
  writes.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('rollups').execute()
    await transaction.updateTable('rollup_progress').set({ last_id: 0 }).execute()
    await noteRemoval(transaction)
  })
