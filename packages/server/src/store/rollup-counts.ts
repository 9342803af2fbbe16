import { type Kysely, sql } from 'kysely'
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
  const groups = encode([
    ...hours.map((group) => ({ ...group, span_hours: 1 })),
    ...daysOf(hours).map((group) => ({ ...group, span_hours: 24 })),
  ])
  await sql`
    insert into rollups (domain_id, span_hours, dimension, start, value, identifications, scored, score_sum, points_sum)
    select ${KEY}, ${sign} * value ->> 5, ${sign} * value ->> 6, ${sign} * value ->> 7, ${sign} * value ->> 8
    from json_each(${groups}) where true
    on conflict do update set
      identifications = identifications + excluded.identifications,
      scored = scored + excluded.scored,
      score_sum = score_sum + excluded.score_sum,
      points_sum = points_sum + excluded.points_sum`.execute(transaction)
  if (sign === -1)
    await sql`
      delete from rollups
      where (domain_id, span_hours, dimension, start, value) in (select ${KEY} from json_each(${groups}))
        and identifications = 0`.execute(transaction)
}

/** Adds what some identifications are to the counts; with -1 takes it out again. */
export async function applyRows(transaction: Kysely<Schema>, rows: WhichRows, sign: 1 | -1): Promise<void> {
  const { rows: groups } = await contributionsOf(ROLLUP_DIMENSIONS, rows).execute(transaction)
  await applyContributions(transaction, groups, sign)
}

const KEY = sql`value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4`

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
