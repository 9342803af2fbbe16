import { HOUR_MS } from '../../store/roll-ups/contributions.ts'
import { uncounted } from '../../store/roll-ups/counts.ts'
import { overviewStore, TAIL_MAX } from '../../store/roll-ups/overview.ts'
import { findDomain } from '../find-domain.ts'
import type { Handler } from '../handler.ts'
import { countBands, fillBuckets, sumOf } from './fill-buckets.ts'
import { presentRange, readRange } from './read-range.ts'
import { scoreTrend, trend } from './trends.ts'

export const getOverview: Handler<'getOverview'> = async ({ params, query }, { store, now }) => {
  const { id } = await findDomain(store, params.domain)
  const asked = readRange(query, now())
  const { range, previous, bucketMs } = asked
  const counts = overviewStore(store.reads, id)
  const [waiting, bands, bandsBefore, devices, visitors, ...different] = await Promise.all([
    uncounted(store.reads),
    counts.bands(range, bucketMs),
    counts.bands(previous, bucketMs),
    counts.distinct('device', range, bucketMs),
    counts.distinct('visitor', range, bucketMs),
    counts.distinctInAll('device', range),
    counts.distinctInAll('device', previous),
    counts.distinctInAll('visitor', range),
    counts.distinctInAll('visitor', previous),
  ])
  const [deviceSum, devicesBefore, visitorSum, visitorsBefore] = different
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
    devices: trend(deviceSum.different, devicesBefore.different),
    new_devices: trend(deviceSum.fresh, devicesBefore.fresh),
    visitors: trend(visitorSum.different, visitorsBefore.different),
    new_visitors: trend(visitorSum.fresh, visitorsBefore.fresh),
  }
}
