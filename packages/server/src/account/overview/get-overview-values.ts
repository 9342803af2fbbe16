import { COMPARED_FROM, type OverviewDimension, type OverviewValue } from '@inkling/contract/account'
import { uncounted } from '../../store/roll-ups/counts.ts'
import { overviewStore, TAIL_MAX, type ValueSums } from '../../store/roll-ups/overview.ts'
import { findDomain } from '../find-domain.ts'
import type { Handler } from '../handler.ts'
import { sumOf } from './fill-buckets.ts'
import { presentRange, readRange } from './read-range.ts'
import { averageOf, isComparable, trend } from './trends.ts'

export const getOverviewValues: Handler<'getOverviewValues'> = async ({ params, query }, { store, now }) => {
  const { id } = await findDomain(store, params.domain)
  const asked = readRange(query, now())
  const { range, previous, bucketMs } = asked
  const { dimension, sort, limit } = query
  const counts = overviewStore(store.reads, id)
  const rankedFrom = sort === 'riskiest' ? COMPARED_FROM : undefined
  const [waiting, bands, values] = await Promise.all([
    uncounted(store.reads),
    counts.bands(range, bucketMs),
    counts.values(dimension, range, { limit, rankedFrom }),
  ])
  const names = values.map(({ value }) => value)
  const before = await counts.sumsOf(dimension, previous, names)
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
}

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
