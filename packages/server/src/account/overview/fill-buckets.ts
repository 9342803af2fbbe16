import { BAND_NAMES } from '@inkling/contract'
import type { OverviewBucket } from '@inkling/contract/account'
import type { BucketSums, Distinct, OverviewRange } from '../../store/roll-ups/overview.ts'
import { presentTime } from '../present-time.ts'
import { averageOf, type Scores } from './trends.ts'

interface Counts {
  bands: readonly BucketSums[]
  devices: readonly Distinct[]
  visitors: readonly Distinct[]
}

/** One bucket after the other, with those in which nothing happened. */
export function fillBuckets(
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

export const sumOf = (counts: readonly BucketSums[]): Scores & { identifications: number } => ({
  identifications: counts.reduce((sum, count) => sum + count.identifications, 0),
  scored: counts.reduce((sum, count) => sum + count.scored, 0),
  score_sum: counts.reduce((sum, count) => sum + count.score_sum, 0),
})

export function countBands(counts: readonly BucketSums[]): OverviewBucket['bands'] {
  const of = (band: string): number => sumOf(counts.filter((count) => count.band === band)).identifications
  return Object.fromEntries(BAND_NAMES.map((band) => [band, of(band)])) as OverviewBucket['bands']
}
