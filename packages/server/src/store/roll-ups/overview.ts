import { type Kysely, type RawBuilder, sql } from 'kysely'
import { DAY_MS, HOUR_MS } from '../../lib/durations.ts'
import { engineSql } from '../engine-sql.ts'
import type { Schema } from '../schema.ts'
import {
  BY_HOUR_MS,
  contributionsOf,
  floorToDay,
  type RollupDimension,
  TIME_IN_VALUE,
} from './contributions.ts'

/** From the start of an hour to the start of a later hour, exclusive. */
export interface OverviewRange {
  fromMs: number
  toMs: number
}

interface CountSpan extends OverviewRange {
  spanHours: 1 | 24
}

/** Splits a range into whole days and the hours before and after them. */
function spansOf({ fromMs, toMs }: OverviewRange): CountSpan[] {
  const firstDay = floorToDay(fromMs + DAY_MS - HOUR_MS)
  const lastDay = floorToDay(toMs)
  if (firstDay >= lastDay) return [{ spanHours: 1, fromMs, toMs }]
  const spans: CountSpan[] = [
    { spanHours: 1, fromMs, toMs: firstDay },
    { spanHours: 24, fromMs: firstDay, toMs: lastDay },
    { spanHours: 1, fromMs: lastDay, toMs },
  ]
  return spans.filter((span) => span.fromMs < span.toMs)
}

/**
 * Uncounted identifications that a query reads itself; measured 50 ms for the slowest dimension. They cover the last
 * minute or two at up to a hundred identifications per second.
 */
export const TAIL_MAX = 10_000

export interface Sums {
  identifications: number
  /** Identifications with a score. */
  scored: number
  score_sum: number
  points_sum: number
}

export type BucketSums = Sums & { bucket: number; band: string }
export type ValueSums = Sums & { value: string }
export interface Distinct {
  /** Start of the bucket. */
  bucket: number
  different: number
  /** Without a previous visit in the stored data. */
  fresh: number
}

const SUMS = sql`
  sum(identifications) as identifications, sum(scored) as scored, sum(score_sum) as score_sum,
  sum(points_sum) as points_sum`

const COUNTED = sql<number>`select last_id from rollup_progress`

/**
 * Reads counts of one domain as of one moment, so that counting meanwhile neither loses nor doubles rows.
 * @param read may be called again
 */
export const readCounts = <Result>(
  db: Kysely<Schema>,
  domainId: number,
  read: (counts: OverviewStore, moment: Kysely<Schema>) => Promise<Result>,
): Promise<Result> =>
  engineSql(db).atOneMoment(db, COUNTED, (moment, counted) =>
    read(overviewStore({ db: moment, counted }, domainId), moment),
  )

type OverviewStore = ReturnType<typeof overviewStore>

const overviewStore = (from: Source, domainId: number) => ({
  /** Identifications by bucket and band. */
  async bands(range: OverviewRange, bucketMs: number): Promise<BucketSums[]> {
    return read<BucketSums>(
      from,
      sql`
      select start - start % ${bucketMs} as bucket, value as band, ${SUMS}
      from (${countsOf(from, domainId, 'band', range, bucketMs)}) as counts group by 1, 2 order by 1`,
    )
  },

  /** Distinct devices or visitors by bucket. */
  async distinct(kind: 'device' | 'visitor', range: OverviewRange, bucketMs: number): Promise<Distinct[]> {
    return read<Distinct>(
      from,
      sql`
      select bucket,
        sum(case when value = '' or ${TIME_IN_VALUE} < bucket then identifications else 0 end) as different,
        sum(case when value = '' then identifications else 0 end) as fresh
      from (
        select start - start % ${bucketMs} as bucket, value, identifications
        from (${countsOf(from, domainId, kind, range, bucketMs)}) as counts
      ) as bucketed
      group by 1 order by 1`,
    )
  },

  /** Distinct devices or visitors in the whole range. Ranges longer than `BY_HOUR_MS` must start with a day. */
  async distinctInAll(kind: 'device' | 'visitor', range: OverviewRange): Promise<Omit<Distinct, 'bucket'>> {
    const { fromMs, toMs } = range
    const bucketMs = toMs - fromMs <= BY_HOUR_MS ? HOUR_MS : DAY_MS
    const [found] = await read<Omit<Distinct, 'bucket'>>(
      from,
      sql`
      select
        coalesce(sum(case when value = '' or ${TIME_IN_VALUE} < ${fromMs}
          then identifications else 0 end), 0) as different,
        coalesce(sum(case when value = '' then identifications else 0 end), 0) as fresh
      from (${countsOf(from, domainId, kind, range, bucketMs)}) as counts`,
    )
    return found ?? { different: 0, fresh: 0 }
  },

  /** The most frequent values, or with `rankedFrom` those with the highest average score among values with at least that many scores. */
  async values(
    dimension: RollupDimension,
    range: OverviewRange,
    { limit, rankedFrom }: { limit: number; rankedFrom: number | undefined },
  ): Promise<ValueSums[]> {
    const ranked = sql`case when scored >= ${rankedFrom ?? 0} then score_sum * 1.0 / scored else -1 end desc,`
    return read<ValueSums>(
      from,
      sql`
      select * from (
        select value, ${SUMS} from (${countsOf(from, domainId, dimension, range, DAY_MS)}) as counts group by 1
      ) as found
      order by ${rankedFrom === undefined ? sql`` : ranked} identifications desc, value limit ${limit}`,
    )
  },

  /** Sums of given values. */
  async sumsOf(
    dimension: RollupDimension,
    range: OverviewRange,
    values: readonly string[],
  ): Promise<Map<string, ValueSums>> {
    if (values.length === 0) return new Map()
    const rows = await read<ValueSums>(
      from,
      sql`
      select value, ${SUMS} from (${countsOf(from, domainId, dimension, range, DAY_MS)}) as counts
      where value in (${sql.join(values)}) group by 1`,
    )
    return new Map(rows.map((row) => [row.value, row]))
  },
})

/** What counts are read from: identifications after `counted` are not counted yet. */
interface Source {
  db: Kysely<Schema>
  counted: RawBuilder<number>
}

async function read<Row>({ db }: Source, query: RawBuilder<unknown>): Promise<Row[]> {
  const { rows } = await sql<Row>`${query}`.execute(db)
  return rows
}

/** Counts of a range, with the contributions of identifications that are not counted yet. */
function countsOf(
  { db, counted: lastId }: Source,
  domainId: number,
  dimension: RollupDimension,
  range: OverviewRange,
  bucketMs: number,
): RawBuilder<unknown> {
  const spans: CountSpan[] = bucketMs === HOUR_MS ? [{ ...range, spanHours: 1 }] : spansOf(range)
  const counted = spans.map(
    ({ spanHours, fromMs, toMs }) => sql`
      select start, value, identifications, scored, score_sum, points_sum from rollups
      where domain_id = ${domainId} and span_hours = ${spanHours} and dimension = ${dimension}
        and start >= ${fromMs} and start < ${toMs}`,
  )
  const { besideIds } = engineSql(db)
  const tail = sql<boolean>`
    r.id > ${lastId} and r.id <= ${lastId} + ${TAIL_MAX} and ${besideIds('r.domain_id')} = ${domainId}
    and ${besideIds('r.created_at')} >= ${range.fromMs} and ${besideIds('r.created_at')} < ${range.toMs}`
  return sql`${sql.join(counted, sql` union all `)} union all
    select start, value, identifications, scored, score_sum, points_sum from (${contributionsOf(db, [dimension], tail, domainId)}) as tail`
}
