import { z } from 'zod'
import { DomainPath, NO_DOMAIN, Timestamp } from './fields.ts'
import type { AccountOperation, Examples } from './operation.ts'

export const OVERVIEW_DIMENSIONS = [
  'signal',
  'flag',
  'country',
  'browser',
  'os',
  'device_type',
  'connection_type',
  'channel',
  'referrer',
  'campaign',
  'agent',
  'agent_identity',
] as const
export type OverviewDimension = (typeof OVERVIEW_DIMENSIONS)[number]

/**
 * Fewer have no average worth comparing: with scores that spread by 25 points, the average of 30 is uncertain by
 * 25 / √30 ≈ 5 points.
 */
export const COMPARED_FROM = 30

const DAYS_MAX = 366
const Moment = z.iso.datetime({ offset: true })
const RANGE = {
  from: Moment.describe('Not before this time'),
  to: Moment.describe(`Before this time, at most ${DAYS_MAX} days after \`from\``),
}

const isRange = ({ from, to }: { from: string; to: string }): boolean =>
  Date.parse(from) < Date.parse(to) && Date.parse(to) - Date.parse(from) <= DAYS_MAX * 86_400_000
const NOT_A_RANGE = { path: ['to'], error: `after \`from\`, by ${DAYS_MAX} days at the most` }

const ranges = {
  from: Timestamp.describe(
    'Start of the counted range: a full hour, or the start of a UTC day in a range of more than 72 hours',
  ),
  to: Timestamp.describe('End of the range, at most the end of this hour'),
  previous_from: Timestamp.describe('Start of the previous range, which has the same length'),
  previous_to: Timestamp.describe('Its end'),
  uncounted: z
    .int()
    .describe(
      'Identifications that wait to be counted and are not in these numbers; 0 unless a great many came in',
    ),
}

export const OverviewTrend = z
  .object({
    value: z.int().describe('In the range'),
    previous: z.int().describe('In the range before'),
    change: z
      .number()
      .nullable()
      .describe(
        `Growth, such as 0.25 for a quarter more; null when there were fewer than ${COMPARED_FROM} before`,
      ),
  })
  .describe('A number and that of the previous range')
export type OverviewTrend = z.infer<typeof OverviewTrend>

const average = z
  .number()
  .nullable()
  .describe('Average without rate-limited identifications; null without a score')

export const OverviewScore = z
  .object({
    value: average,
    previous: average,
    change: z
      .number()
      .nullable()
      .describe(`Points more or less; null when one side has fewer than ${COMPARED_FROM} scores`),
  })
  .describe('The average score and that of the previous range')
export type OverviewScore = z.infer<typeof OverviewScore>

const bands = z
  .object({
    trusted: z.int().describe('Scores of 0-29'),
    suspicious: z.int().describe('Scores of 30-59'),
    dangerous: z.int().describe('Scores of 60-100'),
    rate_limited: z.int().describe('Over the ingest limit, without a score'),
  })
  .describe('Identifications in each band')

export const OverviewBucket = z
  .object({
    from: Timestamp.describe('Start of the bucket'),
    identifications: z.int().describe('Number of identifications'),
    average_score: average,
    bands,
    devices: z.int().describe('Different devices in this bucket'),
    new_devices: z.int().describe('Those without an earlier identification'),
    visitors: z.int().describe('Different visitors in this bucket'),
    new_visitors: z.int().describe('Those without an earlier identification'),
  })
  .describe('One hour or day')
export type OverviewBucket = z.infer<typeof OverviewBucket>

export const Overview = z
  .object({
    ...ranges,
    bucket: z.enum(['hour', 'day']).describe('Length of a bucket; days are those of UTC'),
    buckets: z.array(OverviewBucket).describe('Oldest first, empty ones included'),
    average_score: OverviewScore.describe('Average score of the range'),
    bands,
    identifications: OverviewTrend.describe('Number of identifications'),
    declared_agents: OverviewTrend.describe('Those of programs that say what they are'),
    devices: OverviewTrend.describe('Exact number of different devices, without the nil ID'),
    new_devices: OverviewTrend.describe(
      'Devices without an earlier identification among those that are kept',
    ),
    visitors: OverviewTrend.describe('Exact number of different visitors, without the nil ID'),
    new_visitors: OverviewTrend.describe(
      'Visitors without an earlier identification among those that are kept',
    ),
  })
  .describe('The history of a domain in numbers')
export type Overview = z.infer<typeof Overview>

export const OverviewValue = z
  .object({
    value: z.string().describe('As in the row, at most 200 characters; empty if unknown'),
    identifications: OverviewTrend.describe('Number of identifications'),
    share: z.number().describe('Of all identifications of the range, 0 to 1'),
    average_score: average,
    comparable: z
      .boolean()
      .describe(
        `Whether there are ${COMPARED_FROM} scores, so that their average says something of the value`,
      ),
    mean_points: z.number().nullable().describe('Average points of a signal; null for other dimensions'),
  })
  .describe('A value and how often it occurred')
export type OverviewValue = z.infer<typeof OverviewValue>

export const OverviewValues = z
  .object({
    ...ranges,
    dimension: z.enum(OVERVIEW_DIMENSIONS).describe('The requested dimension'),
    identifications: z.int().describe('All identifications of the range'),
    values: z.array(OverviewValue).describe('The first values in the requested order'),
  })
  .describe('The values of one dimension')
export type OverviewValues = z.infer<typeof OverviewValues>

const VALUES_DEFAULT = 12
const VALUES_MAX = 100

export const OVERVIEW_OPERATIONS = {
  getOverview: {
    method: 'GET',
    path: '/account/domains/{domain}/overview',
    access: 'visits:read',
    summary: 'Get the overview of a domain',
    description:
      'Risk, bands, identifications, devices and visitors over time, compared with the previous range of the same length. Ranges of up to 72 hours have hourly buckets, longer ones daily buckets.',
    params: DomainPath,
    query: z.strictObject(RANGE).refine(isRange, NOT_A_RANGE),
    answer: Overview,
    errors: NO_DOMAIN,
  },
  getOverviewValues: {
    method: 'GET',
    path: '/account/domains/{domain}/overview/values',
    access: 'visits:read',
    summary: 'Count the values of a dimension, such as signals or countries',
    description: `Sorted by risk, values with fewer than ${COMPARED_FROM} scores come last, because their average means little.`,
    params: DomainPath,
    query: z
      .strictObject({
        ...RANGE,
        dimension: z.enum(OVERVIEW_DIMENSIONS).describe('Which values'),
        sort: z.enum(['frequent', 'riskiest']).default('frequent').describe('Order of the values'),
        limit: z.coerce
          .number()
          .int()
          .min(1)
          .max(VALUES_MAX)
          .default(VALUES_DEFAULT)
          .describe(`Number of values, at most ${VALUES_MAX}`),
      })
      .refine(isRange, NOT_A_RANGE),
    answer: OverviewValues,
    errors: NO_DOMAIN,
  },
} as const satisfies Record<string, AccountOperation>

const EXAMPLE_RANGE = {
  from: '2026-10-07T15:00:00.000Z',
  to: '2026-10-08T15:00:00.000Z',
  previous_from: '2026-10-06T15:00:00.000Z',
  previous_to: '2026-10-07T15:00:00.000Z',
  uncounted: 0,
}

const OVERVIEW: Overview = {
  ...EXAMPLE_RANGE,
  bucket: 'hour',
  buckets: [
    {
      from: EXAMPLE_RANGE.from,
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
  bands: { trusted: 1_650, suspicious: 130, dangerous: 60, rate_limited: 0 },
  identifications: { value: 1_840, previous: 1_600, change: 0.15 },
  declared_agents: { value: 46, previous: 40, change: 0.15 },
  devices: { value: 1_210, previous: 1_100, change: 0.1 },
  new_devices: { value: 520, previous: 500, change: 0.04 },
  visitors: { value: 1_260, previous: 1_200, change: 0.05 },
  new_visitors: { value: 561, previous: 550, change: 0.02 },
}

const VALUES: OverviewValues = {
  ...EXAMPLE_RANGE,
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

export const OVERVIEW_EXAMPLES: Examples<typeof OVERVIEW_OPERATIONS> = {
  getOverview: { answer: OVERVIEW },
  getOverviewValues: { answer: VALUES },
}
