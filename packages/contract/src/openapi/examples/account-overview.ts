import type { Overview, OverviewValues } from '../../account/index.ts'

/** Examples of the overview. */

const RANGE = {
  from: '2026-05-31T13:00:00.000Z',
  to: '2026-06-01T13:00:00.000Z',
  previous_from: '2026-05-30T13:00:00.000Z',
  previous_to: '2026-05-31T13:00:00.000Z',
  uncounted: 0,
}
const BANDS = { trusted: 1_650, suspicious: 130, dangerous: 60, rate_limited: 0 }

const OVERVIEW: Overview = {
  ...RANGE,
  bucket: 'hour',
  buckets: [
    {
      from: RANGE.from,
      identifications: 74,
      average_score: 8.5,
      bands: { trusted: 68, suspicious: 4, dangerous: 2, rate_limited: 0 },
      devices: 61,
      new_devices: 33,
      visitors: 64,
      new_visitors: 36,
    },
  ],
  average_score: { value: 8.1, previous: 7.4, change: 0.7 },
  bands: BANDS,
  identifications: { value: 1_840, previous: 1_600, change: 0.15 },
  devices: { value: 1_210, previous: 1_100, change: 0.1 },
  new_devices: { value: 520, previous: 500, change: 0.04 },
  visitors: { value: 1_260, previous: 1_200, change: 0.05 },
  new_visitors: { value: 561, previous: 550, change: 0.02 },
}

const VALUES: OverviewValues = {
  ...RANGE,
  dimension: 'signal',
  identifications: 1_840,
  values: [
    {
      value: 'datacenter_ip',
      identifications: { value: 92, previous: 80, change: 0.15 },
      share: 0.05,
      average_score: 41.2,
      comparable: true,
      mean_points: 8.5,
    },
  ],
}

export const OVERVIEW_EXAMPLES = {
  getOverview: { answer: OVERVIEW },
  getOverviewValues: { answer: VALUES },
}
