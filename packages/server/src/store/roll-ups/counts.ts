import { type Kysely, SqliteAdapter, sql } from 'kysely'
import { NIL_UUID_BYTES } from '../../lib/uuid.ts'
import type { RollupProgressTable } from '../count-tables.ts'
import { engineSql } from '../engine-sql.ts'
import { newestNumber } from '../identifications/id-range.ts'
import type { Schema } from '../schema.ts'
import type { Store } from '../store.ts'
import {
  type Contribution,
  contributionsOf,
  daysOf,
  RETURNING_DIMENSIONS,
  ROLLUP_DIMENSIONS,
  type RollupDimension,
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
  // Grouped, because a statement changes a row once, and two texts that PostgreSQL refuses become the same value.
  await sql`
    insert into rollups as counted (domain_id, span_hours, dimension, start, value, identifications, scored, score_sum, points_sum)
    select ${KEY}, ${sign} * sum(${number(5)}), ${sign} * sum(${number(6)}), ${sign} * sum(${number(7)}), ${sign} * sum(${number(8)})
    from ${groups} as given where true
    group by ${KEY}
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

interface Changed {
  domainId: number
  dimensions: readonly RollupDimension[]
  ids: readonly number[]
}

/** Adds identifications to the counts; with -1 subtracts them. */
async function applyRows(
  transaction: Kysely<Schema>,
  { domainId, dimensions, ids }: Changed,
  sign: 1 | -1,
): Promise<void> {
  if (ids.length === 0) return
  const rows = among(transaction, domainId, ids)
  const { rows: groups } = await contributionsOf(transaction, dimensions, rows, domainId).execute(transaction)
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
 * Removes identifications of a domain and keeps the counts correct, in one transaction. The next visit of each device and
 * visitor is counted again among those that return, because its previous visit changes.
 */
export async function keepCounts(
  transaction: Kysely<Schema>,
  domainId: number,
  ids: readonly number[],
  remove: () => Promise<void>,
): Promise<void> {
  const { last_id } = await rollupProgress(transaction)
  const removed = new Set(ids)
  const next = (await nextVisits(transaction, domainId, ids)).filter((id) => !removed.has(id))
  // A job that is counting these rows has read rows that no longer exist.
  if ([...ids, ...next].some((id) => id > last_id)) await noteRemoval(transaction)
  const counted = ids.filter((id) => id <= last_id)
  const again = { domainId, dimensions: RETURNING_DIMENSIONS, ids: next.filter((id) => id <= last_id) }
  await applyRows(transaction, { domainId, dimensions: ROLLUP_DIMENSIONS, ids: counted }, -1)
  await applyRows(transaction, again, -1)
  await remove()
  await applyRows(transaction, again, 1)
  await stepBack(transaction)
}

/** SQLite reuses the highest ID once its row is removed; the new row is not counted yet. */
async function stepBack(transaction: Kysely<Schema>): Promise<void> {
  if (!(transaction.getExecutor().adapter instanceof SqliteAdapter)) return
  await sql`
    update rollup_progress set last_id = greatest_id
    from (select coalesce(max(id), 0) as greatest_id from identifications) as kept
    where last_id > greatest_id`.execute(transaction)
}

/** One JSON parameter instead of one for each ID, so that the statement's text stays the same. */
const among = (transaction: Kysely<Schema>, domainId: number, ids: readonly number[]): WhichRows => {
  const { elements, besideIds } = engineSql(transaction)
  const listed = elements(sql`${JSON.stringify(ids)}`)
  return sql<boolean>`${besideIds('r.domain_id')} = ${domainId}
    and r.id in (select cast(cast(listed.value as text) as bigint) from ${listed} as listed)`
}

async function nextVisits(
  transaction: Kysely<Schema>,
  domainId: number,
  ids: readonly number[],
): Promise<number[]> {
  // The second comparison of times names the partitions, which that of pairs does not.
  const next = (name: 'device_id' | 'visitor_id') => sql`
    select (
      select later.id from identifications later
      where later.domain_id = ${domainId} and ${sql.ref(`later.${name}`)} = ${sql.ref(`r.${name}`)}
        and (later.created_at, later.id) > (r.created_at, r.id) and later.created_at >= r.created_at
      order by later.created_at, later.id limit 1
    ) as id
    from identifications r
    where ${among(transaction, domainId, ids)} and ${sql.ref(`r.${name}`)} <> ${NIL_UUID_BYTES}`
  const { rows } = await sql<{ id: number | null }>`
    ${next('device_id')} union ${next('visitor_id')}`.execute(transaction)
  return rows.flatMap(({ id }) => id ?? [])
}

export type RollupProgress = Pick<RollupProgressTable, 'last_id' | 'removals'>

/** How far identifications have been counted. */
export const rollupProgress = (db: Kysely<Schema>): Promise<RollupProgress> =>
  db.selectFrom('rollup_progress').select(['last_id', 'removals']).executeTakeFirstOrThrow()

/** An upper bound for the identifications that are not counted yet. */
export async function uncounted(db: Kysely<Schema>): Promise<number> {
  const { last_id } = await rollupProgress(db)
  return Math.max(0, (await newestNumber(db, 'identifications')) - last_id)
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

/**
 * Discards all counts, so that the job counts again. Needed after counted rows have changed.
 * @param notedAtMs when the caller last noted that it changes them: a later note is of another process at work
 */
export const countAgain = (writes: Kysely<Schema>, notedAtMs: number): Promise<void> =>
  writes.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('rollups').execute()
    await transaction
      .updateTable('rollup_progress')
      .set({ last_id: 0, changing_at: sql<number | null>`nullif(changing_at, ${notedAtMs})` })
      .execute()
    await noteRemoval(transaction)
  })

/** How often whoever changes counted rows notes that it goes on. */
const NOTE_MS = 30_000
/** After that long without a note it was killed. */
const KILLED_MS = 2 * 60_000

interface NotedChanges {
  /** The rows that are read to change some of them. */
  reading<Row>(rows: AsyncIterable<Row>): AsyncIterable<Row>
  /** Counts again. */
  end(): Promise<void>
}

/**
 * Notes that counted rows are being changed, so that a server counts again should this process be killed. It notes this as
 * rows are read: between two that change may be hours of those that do not.
 */
export function notedChanges(
  { writes, longWrites }: Pick<Store, 'writes' | 'longWrites'>,
  now: () => number,
): NotedChanges {
  let notedAtMs = 0
  return {
    async *reading(rows) {
      for await (const row of rows) {
        if (Math.abs(now() - notedAtMs) >= NOTE_MS) {
          notedAtMs = now()
          await writes.updateTable('rollup_progress').set({ changing_at: notedAtMs }).execute()
        }
        yield row
      }
    },
    end: () => countAgain(longWrites, notedAtMs),
  }
}

/** Counts again where a process that changed counted rows was killed before it did. */
export async function countAgainIfKilled(
  { jobReads, longWrites }: Pick<Store, 'jobReads' | 'longWrites'>,
  nowMs: number,
): Promise<void> {
  const { changing_at } = await jobReads
    .selectFrom('rollup_progress')
    .select('changing_at')
    .executeTakeFirstOrThrow()
  if (changing_at !== null && Math.abs(nowMs - changing_at) >= KILLED_MS)
    await countAgain(longWrites, changing_at)
}
