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
  to: Moment.describe(`Before this time, and ${DAYS_MAX} days after \`from\` at the most`),
}

const isRange = ({ from, to }: { from: string; to: string }): boolean =>
  Date.parse(from) < Date.parse(to) && Date.parse(to) - Date.parse(from) <= DAYS_MAX * 86_400_000
const NOT_A_RANGE = { path: ['to'], error: `after \`from\`, by ${DAYS_MAX} days at the most` }

const ranges = {
  from: Timestamp.describe('What is counted: whole hours, and from 72 hours on beginning with a day in UTC'),
  to: Timestamp.describe('Its end, which lies in this hour at the latest'),
  previous_from: Timestamp.describe('The same stretch of time before'),
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
  .describe('A number beside that of the range before')
export type OverviewTrend = z.infer<typeof OverviewTrend>

const average = z
  .number()
  .nullable()
  .describe('Average score, rate-limited ones aside; null when there is none')

export const OverviewScore = z
  .object({
    value: average,
    previous: average,
    change: z
      .number()
      .nullable()
      .describe(`Points more or less; null when one side has fewer than ${COMPARED_FROM} scores`),
  })
  .describe('The average score beside that of the range before')
export type OverviewScore = z.infer<typeof OverviewScore>

const bands = z
  .object({
    trusted: z.int().describe('Scores of 0-29'),
    suspicious: z.int().describe('Scores of 30-59'),
    dangerous: z.int().describe('Scores of 60-100'),
    rate_limited: z.int().describe('Over the ingest limit'),
  })
  .describe('How many were in each band')

export const OverviewBucket = z
  .object({
    from: Timestamp.describe('Its beginning'),
    identifications: z.int().describe('How many there were'),
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
    buckets: z.array(OverviewBucket).describe('Oldest first, empty ones too'),
    average_score: OverviewScore.describe('Of all of the range'),
    bands,
    identifications: OverviewTrend.describe('How many there were'),
    devices: OverviewTrend.describe('Different devices, exactly; the nil one aside'),
    new_devices: OverviewTrend.describe(
      'Devices without an earlier identification among those that are kept',
    ),
    visitors: OverviewTrend.describe('Different visitors, exactly; the nil one aside'),
    new_visitors: OverviewTrend.describe(
      'Visitors without an earlier identification among those that are kept',
    ),
  })
  .describe('A domain over time')
export type Overview = z.infer<typeof Overview>

export const OverviewValue = z
  .object({
    value: z.string().describe('As in the row, 200 characters at the most; empty for unknown'),
    identifications: OverviewTrend.describe('How many there were'),
    share: z.number().describe('Of all identifications of the range, 0 to 1'),
    average_score: average,
    comparable: z
      .boolean()
      .describe(
        `Whether there are ${COMPARED_FROM} scores, so that their average says something of the value`,
      ),
    mean_points: z
      .number()
      .nullable()
      .describe('What a signal added to a score on average; null of anything else'),
  })
  .describe('A value and how often it occurred')
export type OverviewValue = z.infer<typeof OverviewValue>

export const OverviewValues = z
  .object({
    ...ranges,
    dimension: z.enum(OVERVIEW_DIMENSIONS).describe('What was asked for'),
    identifications: z.int().describe('Of the range, with whatever value'),
    values: z.array(OverviewValue).describe('The first of them, in the order that was asked for'),
  })
  .describe('The values of one dimension')
export type OverviewValues = z.infer<typeof OverviewValues>

const VALUES_DEFAULT = 12
const VALUES_MAX = 100

export const OVERVIEW_OPERATIONS = {
  getOverview: {
    method: 'GET',
    path: '/account/domains/{domain}/overview',
    access: 'analyst',
    summary: 'Get the overview of a domain',
    description:
      'Risk, bands, identifications, devices and visitors over time, beside the same stretch of time before. Up to 72 hours are told by the hour, more by the day.',
    params: DomainPath,
    query: z.strictObject(RANGE).refine(isRange, NOT_A_RANGE),
    answer: Overview,
    refusals: NO_DOMAIN,
  },
  getOverviewValues: {
    method: 'GET',
    path: '/account/domains/{domain}/overview/values',
    access: 'analyst',
    summary: 'Get how often signals, flags, countries and the like occurred',
    description: `Sorted by risk, values with fewer than ${COMPARED_FROM} scores come last: their average says little.`,
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
          .describe(`Values, ${VALUES_MAX} at the most`),
      })
      .refine(isRange, NOT_A_RANGE),
    answer: OverviewValues,
    refusals: NO_DOMAIN,
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
