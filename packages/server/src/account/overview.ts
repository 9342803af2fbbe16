import { AGENT_STANDINGS, BAND_NAMES, presentTime } from '@inkling/contract'
import {
  COMPARED_FROM,
  type OVERVIEW_OPERATIONS,
  type OverviewBucket,
  type OverviewDimension,
  type OverviewScore,
  type OverviewTrend,
  type OverviewValue,
} from '@inkling/contract/account'
import { DAY_MS, HOUR_MS } from '../lib/durations.ts'
import { AppError } from '../lib/errors.ts'
import { BY_HOUR_MS } from '../store/roll-ups/contributions.ts'
import { uncounted } from '../store/roll-ups/counts.ts'
import {
  type BucketSums,
  type Distinct,
  type OverviewRange,
  readCounts,
  type Sums,
  TAIL_MAX,
  type ValueSums,
} from '../store/roll-ups/overview.ts'
import { findDomain } from './domains.ts'
import type { Handlers } from './handler.ts'

export const overviewOperations: Handlers<typeof OVERVIEW_OPERATIONS> = {
  getOverview: async ({ params, query }, { store, now }) => {
    const { id } = await findDomain(store, params.domain)
    const asked = readRange(query, now())
    const { range, previous, bucketMs } = asked
    const distinct = (kind: 'device' | 'visitor') =>
      readCounts(store.reads, id, (counts) =>
        Promise.all([
          counts.distinct(kind, range, bucketMs),
          counts.distinctInAll(kind, range),
          counts.distinctInAll(kind, previous),
        ]),
      )
    // Side by side, because counting different devices and visitors takes most of the time.
    const [totals, [devices, deviceSum, devicesBefore], [visitors, visitorSum, visitorsBefore]] =
      await Promise.all([
        readCounts(store.reads, id, (counts, moment) =>
          Promise.all([
            uncounted(moment),
            counts.sumsOf('agent_identity', range, AGENT_STANDINGS),
            counts.sumsOf('agent_identity', previous, AGENT_STANDINGS),
            counts.bands(range, bucketMs),
            counts.bands(previous, bucketMs),
          ]),
        ),
        distinct('device'),
        distinct('visitor'),
      ])
    const [waiting, agents, agentsBefore, bands, bandsBefore] = totals
    const sum = sumOf(bands)
    const before = sumOf(bandsBefore)
    return {
      ...presentRange(asked),
      uncounted: Math.max(0, waiting - TAIL_MAX),
      bucket: bucketMs === HOUR_MS ? 'hour' : 'day',
      buckets: fillBuckets(range, bucketMs, { bands, devices, visitors }),
      average_score: scoreTrend(sum, before),
      bands: countBands(bands),
      identifications: trend(sum.identifications, before.identifications),
      declared_agents: trend(countAll(agents), countAll(agentsBefore)),
      devices: trend(deviceSum.different, devicesBefore.different),
      new_devices: trend(deviceSum.fresh, devicesBefore.fresh),
      visitors: trend(visitorSum.different, visitorsBefore.different),
      new_visitors: trend(visitorSum.fresh, visitorsBefore.fresh),
    }
  },

  getOverviewValues: async ({ params, query }, { store, now }) => {
    const { id } = await findDomain(store, params.domain)
    const asked = readRange(query, now())
    const { range, previous, bucketMs } = asked
    const { dimension, sort, limit } = query
    const rankedFrom = sort === 'riskiest' ? COMPARED_FROM : undefined
    const { waiting, bands, values, before } = await readCounts(store.reads, id, async (counts, moment) => {
      const [waiting, bands, values] = await Promise.all([
        uncounted(moment),
        counts.bands(range, bucketMs),
        counts.values(dimension, range, { limit, rankedFrom }),
      ])
      const names = values.map(({ value }) => value)
      return { waiting, bands, values, before: await counts.sumsOf(dimension, previous, names) }
    })
    const { identifications } = sumOf(bands)
    return {
      ...presentRange(asked),
      uncounted: Math.max(0, waiting - TAIL_MAX),
      dimension,
      identifications,
      values: values.map((sums) =>
        presentValue(dimension, sums, before.get(sums.value)?.identifications ?? 0, identifications),
      ),
    }
  },
}

const countAll = (sums: ReadonlyMap<string, ValueSums>): number =>
  sums.values().reduce((total, { identifications }) => total + identifications, 0)

const presentValue = (
  dimension: OverviewDimension,
  sums: ValueSums,
  before: number,
  all: number,
): OverviewValue => ({
  value: sums.value,
  identifications: trend(sums.identifications, before),
  share: all === 0 ? 0 : Math.min(1, sums.identifications / all),
  average_score: averageOf(sums),
  comparable: isComparable(sums),
  mean_points: dimension === 'signal' ? sums.points_sum / sums.identifications : null,
})

interface ReadRange {
  range: OverviewRange
  previous: OverviewRange
  bucketMs: number
}

/**
 * Rounds a requested range to whole hours, up to the present one. Buckets are hours in a range of up to 72 hours and
 * days in a longer one. The previous range is as long and starts a whole number of buckets earlier.
 * @throws AppError `INK_INVALID_FIELD` when the range starts in the future
 */
function readRange({ from, to }: { from: string; to: string }, nowMs: number): ReadRange {
  const toMs = Math.min(ceilTo(Date.parse(to), HOUR_MS), ceilTo(nowMs, HOUR_MS))
  const firstHour = floorTo(Date.parse(from), HOUR_MS)
  const bucketMs = toMs - firstHour <= BY_HOUR_MS ? HOUR_MS : DAY_MS
  const fromMs = floorTo(firstHour, bucketMs)
  if (fromMs >= toMs) throw new AppError('INK_INVALID_FIELD', 'from: must lie in the past')
  const backMs = ceilTo(toMs - fromMs, bucketMs)
  return {
    range: { fromMs, toMs },
    previous: { fromMs: fromMs - backMs, toMs: toMs - backMs },
    bucketMs,
  }
}

const floorTo = (atMs: number, stepMs: number): number => atMs - (atMs % stepMs)
const ceilTo = (atMs: number, stepMs: number): number => Math.ceil(atMs / stepMs) * stepMs

const presentRange = ({ range, previous }: ReadRange) => ({
  from: presentTime(range.fromMs),
  to: presentTime(range.toMs),
  previous_from: presentTime(previous.fromMs),
  previous_to: presentTime(previous.toMs),
})

interface Counts {
  bands: readonly BucketSums[]
  devices: readonly Distinct[]
  visitors: readonly Distinct[]
}

/** Every bucket of the range, empty ones included. */
function fillBuckets(
  { fromMs, toMs }: OverviewRange,
  bucketMs: number,
  { bands, devices, visitors }: Counts,
): OverviewBucket[] {
  const bandsOf = Map.groupBy(bands, ({ bucket }) => bucket)
  const devicesOf = byBucket(devices)
  const visitorsOf = byBucket(visitors)
  return Array.from({ length: Math.ceil((toMs - fromMs) / bucketMs) }, (_, index) => {
    const bucket = fromMs + index * bucketMs
    const counts = bandsOf.get(bucket) ?? []
    return {
      from: presentTime(bucket),
      identifications: sumOf(counts).identifications,
      average_score: averageOf(sumOf(counts)),
      bands: countBands(counts),
      devices: devicesOf.get(bucket)?.different ?? 0,
      new_devices: devicesOf.get(bucket)?.fresh ?? 0,
      visitors: visitorsOf.get(bucket)?.different ?? 0,
      new_visitors: visitorsOf.get(bucket)?.fresh ?? 0,
    }
  })
}

const byBucket = (counts: readonly Distinct[]): Map<number, Distinct> =>
  new Map(counts.map((count) => [count.bucket, count]))

const sumOf = (counts: readonly BucketSums[]): Scores & { identifications: number } => ({
  identifications: counts.reduce((sum, count) => sum + count.identifications, 0),
  scored: counts.reduce((sum, count) => sum + count.scored, 0),
  score_sum: counts.reduce((sum, count) => sum + count.score_sum, 0),
})

function countBands(counts: readonly BucketSums[]): OverviewBucket['bands'] {
  const of = (band: string): number => sumOf(counts.filter((count) => count.band === band)).identifications
  return Object.fromEntries(BAND_NAMES.map((band) => [band, of(band)])) as OverviewBucket['bands']
}

const trend = (value: number, previous: number): OverviewTrend => ({
  value,
  previous,
  change: previous < COMPARED_FROM ? null : (value - previous) / previous,
})

type Scores = Pick<Sums, 'scored' | 'score_sum'>

const averageOf = ({ scored, score_sum }: Scores): number | null => (scored === 0 ? null : score_sum / scored)

const isComparable = ({ scored }: Scores): boolean => scored >= COMPARED_FROM

function scoreTrend(now: Scores, before: Scores): OverviewScore {
  const value = averageOf(now)
  const previous = averageOf(before)
  const comparable = value !== null && previous !== null && isComparable(now) && isComparable(before)
  return { value, previous, change: comparable ? value - previous : null }
}
