import { type Kysely, sql } from 'kysely'
import { engineSql } from './engine-sql.ts'
import {
  type Contribution,
  contributionsOf,
  ROLLUP_DIMENSIONS,
  type WhichRows,
} from './rollup-contributions.ts'
import { daysOf } from './rollup-days.ts'
import type { Schema } from './schema.ts'

/** Adds hourly groups to the counts of their hours and days; with -1 takes them out again. */
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
    insert into rollups (domain_id, span_hours, dimension, start, value, identifications, scored, score_sum, points_sum)
    select ${KEY}, ${sign} * ${number(5)}, ${sign} * ${number(6)}, ${sign} * ${number(7)}, ${sign} * ${number(8)}
    from ${groups} as given where true
    on conflict (domain_id, span_hours, dimension, start, value) do update set
      identifications = rollups.identifications + excluded.identifications,
      scored = rollups.scored + excluded.scored,
      score_sum = rollups.score_sum + excluded.score_sum,
      points_sum = rollups.points_sum + excluded.points_sum`.execute(transaction)
  if (sign === -1)
    await sql`
      delete from rollups
      where (domain_id, span_hours, dimension, start, value) in (select ${KEY} from ${groups} as given)
        and identifications = 0`.execute(transaction)
}

/** Adds what some identifications are to the counts; with -1 takes it out again. */
export async function applyRows(transaction: Kysely<Schema>, rows: WhichRows, sign: 1 | -1): Promise<void> {
  const { rows: groups } = await contributionsOf(transaction, ROLLUP_DIMENSIONS, rows).execute(transaction)
  await applyContributions(transaction, groups, sign)
}

const number = (index: number) => sql`cast(given.value ->> ${sql.lit(index)} as bigint)`
const text = (index: number) => sql`given.value ->> ${sql.lit(index)}`
const KEY = sql`${number(0)}, ${number(1)}, ${text(2)}, ${number(3)}, ${text(4)}`

/** One text instead of some thousand parameters, whose statement would be another one each time. */
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
