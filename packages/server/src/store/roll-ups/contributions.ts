import { BAND_NAMES, BANDS, DETECTION_FLAGS } from '@inkling/contract'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { DAY_MS, HOUR_MS } from '../../lib/durations.ts'
import { flagBit } from '../../lib/flag-bits.ts'
import { NIL_UUID_BYTES } from '../../lib/uuid.ts'
import type { RollupTable } from '../count-tables.ts'
import { type EngineSql, engineSql } from '../engine-sql.ts'
import type { Schema } from '../schema.ts'

/** A previous visit within this time is stored by its hour, an older one by its day. */
export const BY_HOUR_MS = 72 * HOUR_MS
/** Visitors control some of these texts, so they are cut. */
const VALUE_CHARACTERS_MAX = 200

/** What some identifications add to the counts of an hour. */
export type Contribution = Omit<RollupTable, 'span_hours'>

/** A condition on identifications under the alias `r`. */
export type WhichRows = RawBuilder<boolean>

interface Grouped {
  rows: WhichRows
  /** The domain of all rows, if it is known: Citus asks its worker alone then, and all shards otherwise. */
  domainId: number | undefined
  engine: EngineSql
}
type Grouping = (grouped: Grouped) => RawBuilder<Contribution>

/** The time in a value of `device` or `visitor`; NULL for a first visit. */
export const TIME_IN_VALUE = sql`cast(nullif(value, '') as bigint)`

const hourOf = (time: RawBuilder<unknown>) => sql`(${time} - ${time} % ${sql.lit(HOUR_MS)})`
const HOUR = hourOf(sql`r.created_at`)
const SCORE_MAX = sql.lit(BANDS.dangerous.to)
const SUMS = sql`
  count(*) as identifications,
  sum(case when r.score <= ${SCORE_MAX} then 1 else 0 end) as scored,
  sum(case when r.score <= ${SCORE_MAX} then r.score else 0 end) as score_sum`

interface GroupingParts {
  /** SQL joined to the identifications. */
  from?: (engine: EngineSql) => RawBuilder<unknown>
  points?: RawBuilder<unknown>
  /** Which of the identifications it counts; all of them without it. */
  only?: RawBuilder<boolean>
}

function grouped(
  dimension: string,
  value: RawBuilder<unknown>,
  { from = () => sql``, points = sql`0`, only = sql`true` }: GroupingParts = {},
): Grouping {
  return ({ rows, engine }) => sql<Contribution>`
    select ${engine.besideIds('r.domain_id')} as domain_id, ${sql.lit(dimension)} as dimension, ${HOUR} as start,
      ${value} as value, ${SUMS}, ${points} as points_sum
    from identifications r ${from(engine)} where ${rows} and ${only} group by 1, 3, 4`
}

const column = (dimension: string, name: string): Grouping =>
  grouped(dimension, sql`substr(coalesce(r.${sql.ref(name)}, ''), 1, ${sql.lit(VALUE_CHARACTERS_MAX)})`)

const BAND = sql`case ${sql.join(
  BAND_NAMES.map((band) => sql`when r.score <= ${sql.lit(BANDS[band].to)} then ${sql.lit(band)}`),
  sql` `,
)} end`

/** As VALUES: Citus would run a union by itself and send its rows to each shard. */
const FLAG_BITS = sql`(values ${sql.join(
  DETECTION_FLAGS.map(({ flag }) => sql`(${sql.lit(flag)}, ${sql.lit(flagBit(flag))})`),
)})`

/**
 * Counts visits by the time of the same device's or visitor's previous visit: its hour, its day beyond `BY_HOUR_MS`,
 * or '' for a first visit. The number of distinct devices in a time range is then the number of visits in it whose
 * previous visit is before it. That is exact and needs no identifier in the counts. Visits with a previous one in the
 * same hour add nothing and are left out.
 */
const returning = (dimension: string, name: string): Grouping => {
  const own = sql.ref(`r.${name}`)
  const previous = sql.ref(`earlier.${name}`)
  // Materialized, because otherwise each reference below would search for the previous visit again. The second comparison
  // of times names the partitions, which that of pairs does not.
  return ({ rows, domainId }) => sql<Contribution>`
    with visits as materialized (
      select r.domain_id, ${HOUR} as start, (
          select earlier.created_at from identifications earlier
          where earlier.domain_id = r.domain_id and ${previous} = ${own}
            ${domainId === undefined ? sql`` : sql`and earlier.domain_id = ${domainId}`}
            and (earlier.created_at, earlier.id) < (r.created_at, r.id) and earlier.created_at <= r.created_at
          order by earlier.created_at desc, earlier.id desc limit 1
        ) as before
      from identifications r where ${rows} and ${own} <> ${NIL_UUID_BYTES}
    )
    select domain_id, ${sql.lit(dimension)} as dimension, start, coalesce(cast(seen as text), '') as value,
      count(*) as identifications, 0 as scored, 0 as score_sum, 0 as points_sum
    from (
      select domain_id, start, case
          when start - ${hourOf(sql`before`)} <= ${sql.lit(BY_HOUR_MS)} then ${hourOf(sql`before`)}
          else before - before % ${sql.lit(DAY_MS)}
        end as seen
      from visits
    ) as known
    where seen is null or seen < start
    group by 1, 3, 4`
}

const OF_AGENTS = sql<boolean>`r.agent_identity is not null`

const GROUPINGS = {
  band: grouped('band', BAND),
  signal: grouped('signal', sql`entry.value ->> 'name'`, {
    from: ({ elements }) => sql`, ${elements(sql`r.verdict`, 'entries')} as entry`,
    points: sql`sum(cast(entry.value ->> 'value' as bigint))`,
  }),
  flag: grouped('flag', sql`known.column1`, {
    from: () => sql`join ${FLAG_BITS} as known on (r.flags & known.column2) <> 0`,
  }),
  country: column('country', 'country'),
  browser: column('browser', 'browser'),
  os: column('os', 'os'),
  device_type: column('device_type', 'device_type'),
  connection_type: column('connection_type', 'connection_type'),
  channel: column('channel', 'traffic_channel'),
  referrer: column('referrer', 'referrer_domain'),
  campaign: column('campaign', 'utm_campaign'),
  agent: grouped('agent', sql`substr(r.agent, 1, ${sql.lit(VALUE_CHARACTERS_MAX)})`, { only: OF_AGENTS }),
  agent_identity: grouped('agent_identity', sql`r.agent_identity`, { only: OF_AGENTS }),
  device: returning('device', 'device_id'),
  visitor: returning('visitor', 'visitor_id'),
} satisfies Record<string, Grouping>

export type RollupDimension = keyof typeof GROUPINGS
export const ROLLUP_DIMENSIONS = Object.keys(GROUPINGS) as RollupDimension[]
/** Those that depend on the previous visit, too. */
export const RETURNING_DIMENSIONS = ['device', 'visitor'] as const satisfies RollupDimension[]

/** A query for what identifications add to the counts of their hours. */
export const contributionsOf = (
  db: Kysely<Schema>,
  dimensions: readonly RollupDimension[],
  rows: WhichRows,
  domainId?: number,
): RawBuilder<Contribution> =>
  sql<Contribution>`${sql.join(
    dimensions.map(
      (dimension) =>
        sql`select * from (${GROUPINGS[dimension]({ rows, domainId, engine: engineSql(db) })}) as groups`,
    ),
    sql` union all `,
  )}`

/** Sums contributions of hours to contributions of days. */
export function daysOf(hours: readonly Contribution[]): Contribution[] {
  const days = new Map<string, Contribution>()
  for (const hour of hours) {
    const start = floorToDay(hour.start)
    const value = isReturning(hour) ? dayOfPreviousVisit(hour.value) : hour.value
    // Not the first visit of the day.
    if (isReturning(hour) && value !== '' && Number(value) >= start) continue
    const key = [hour.domain_id, hour.dimension, start, value].join('\n')
    const day = days.get(key)
    if (!day) days.set(key, { ...hour, start, value })
    else {
      day.identifications += hour.identifications
      day.scored += hour.scored
      day.score_sum += hour.score_sum
      day.points_sum += hour.points_sum
    }
  }
  return [...days.values()]
}

const isReturning = ({ dimension }: Contribution): boolean =>
  RETURNING_DIMENSIONS.some((returning) => returning === dimension)
const dayOfPreviousVisit = (value: string): string => (value === '' ? '' : String(floorToDay(Number(value))))

export const floorToDay = (atMs: number): number => atMs - (atMs % DAY_MS)
