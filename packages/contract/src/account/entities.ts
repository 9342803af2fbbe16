import { z } from 'zod'
import { ROW, VELOCITY } from '../openapi/example-visit.ts'
import { VelocityCounts } from '../velocity.ts'
import { DomainPath, IdentifierValue, Timestamp } from './fields.ts'
import { LABEL_EXAMPLE, ReachingLabel } from './labels.ts'
import type { AccountOperation, Examples } from './operation.ts'
import { FINDING_EXAMPLE, PatternFinding } from './patterns.ts'

export const ENTITY_TYPES = ['device_id', 'visitor_id', 'user_hid', 'ip', 'local_ip'] as const
const EntityType = z.enum(ENTITY_TYPES)

export const LinkedValue = z
  .object({
    value: z.string().describe('The value'),
    identifications: z.int().describe('Identifications that share it'),
    last_seen_at: Timestamp.describe('Newest of them'),
  })
  .describe('A value that occurs together with the entity')
export type LinkedValue = z.infer<typeof LinkedValue>

export const EntityDay = z
  .object({
    day: z.iso.date().describe('In UTC'),
    identifications: z.int().describe('Number of identifications'),
    highest_score: z
      .int()
      .nullable()
      .describe('Highest score of the day; null if every identification was rate limited'),
  })
  .describe('One day of an entity')
export type EntityDay = z.infer<typeof EntityDay>

/** Of a kind; a list of so many may be cut. */
export const LINKED_VALUES_MAX = 50
const linked = (what: string) => z.array(LinkedValue).describe(`${what}, most frequent first`)

export const GRAPH_TYPES = ['device_id', 'visitor_id', 'user_hid', 'ip', 'local_ip', 'cookie_id'] as const
const GraphType = z.enum(GRAPH_TYPES)
const more = (what: string) => z.int().describe(`${what} that the graph leaves out`)

export const EntityGraph = z
  .object({
    nodes: z
      .array(
        z.object({
          type: GraphType.describe('Kind of identifier'),
          value: z.string().describe('The value'),
          identifications: z.int().describe('Identifications that have it'),
        }),
      )
      .describe('The entity first, then the most frequent of each kind'),
    edges: z
      .array(
        z.object({
          from: z.int().describe('Index of a node'),
          to: z.int().describe('Index of the other one'),
          identifications: z.int().describe('Identifications that have both'),
          last_seen_at: Timestamp.describe('Newest of them'),
        }),
      )
      .describe('What occurs together, most frequent first'),
    more: z
      .object({
        device_id: more('Devices'),
        visitor_id: more('Visitors'),
        user_hid: more('Accounts'),
        ip: more('Addresses'),
        local_ip: more('Local IPv4 addresses'),
        cookie_id: more('Cookies'),
      })
      .describe('Identifiers of each kind that are not in the graph'),
  })
  .describe('Which identifiers of an entity occur together')
export type EntityGraph = z.infer<typeof EntityGraph>

export const EntitySummary = z
  .object({
    type: EntityType.describe('Kind of entity'),
    value: z.string().describe('Value of the identifier'),
    aliases: z
      .array(z.string())
      .describe('Other IDs of the same device, whose visits are among those read; empty for anything else'),
    first_seen_at: Timestamp.describe('Oldest identification of those read'),
    last_seen_at: Timestamp.describe('Newest identification'),
    identifications: z.int().describe('Identifications that were read'),
    complete: z.boolean().describe('Whether all identifications were read; otherwise only the newest'),
    average_score: z
      .number()
      .nullable()
      .describe(
        'Average without rate-limited identifications, which have no score; null if there are no others',
      ),
    highest_score: z.int().nullable().describe('Highest score of them; null if there is none'),
    bands: z
      .object({
        trusted: z.int().describe('Scores of 0-29'),
        suspicious: z.int().describe('Scores of 30-59'),
        dangerous: z.int().describe('Scores of 60-100'),
        rate_limited: z.int().describe('Over the ingest limit, without a score'),
      })
      .describe('Identifications in each band'),
    patterns: z
      .array(PatternFinding)
      .describe('Open findings on it; for an address, those on the local IP of the same value'),
    part_of: z
      .array(PatternFinding)
      .describe('Open findings on others that have its visits in their evidence, at most 50, newest first'),
    labels: z
      .array(ReachingLabel)
      .describe('Labels that say something about it, the newest first, at most 50'),
    velocity: VelocityCounts.nullable().describe(
      'What is counted of it now; null where nothing was in 7 days, and for local addresses',
    ),
    days: z.array(EntityDay).describe('Days with identifications, oldest first'),
    linked: z
      .object({
        device_id: linked('Devices, the nil one aside'),
        visitor_id: linked('Visitors, the nil one aside'),
        user_hid: linked('Accounts, values that name nobody aside'),
        ip: linked('Addresses'),
        local_ip: linked('IPv4 addresses that browsers leaked behind the public ones'),
        cookie_id: linked('Cookies, the nil one aside'),
        country: linked('Countries'),
        browser: linked('Browsers'),
        os: linked('Operating systems'),
      })
      .describe(`Values that occur with it, at most ${LINKED_VALUES_MAX} of a kind`),
    graph: EntityGraph.describe('Graph of the values that occur together'),
  })
  .describe('Summary of a device, visitor, account, address or local address')
export type EntitySummary = z.infer<typeof EntitySummary>

export const ENTITY_OPERATIONS = {
  getEntity: {
    method: 'GET',
    path: '/account/domains/{domain}/entity',
    access: 'visits:read',
    summary: 'Summarise a device, visitor, account, address or local address',
    description:
      'Reads the newest 5,000 identifications. Search by the same identifier for the rows. A local address is the one that the browser leaked, or else the one that the network check saw.',
    params: DomainPath,
    query: z.strictObject({
      type: EntityType.describe('Kind of entity'),
      value: IdentifierValue.describe('Value of the identifier'),
    }),
    answer: EntitySummary,
    errors: { 404: 'no identification has it' },
  },
} as const satisfies Record<string, AccountOperation>

const LINKED = { identifications: 3, last_seen_at: '2026-10-08T14:21:37.205Z' }

export const ENTITY_EXAMPLES: Examples<typeof ENTITY_OPERATIONS> = {
  getEntity: {
    answer: {
      type: 'user_hid',
      value: ROW.user_hid,
      aliases: [],
      first_seen_at: '2026-10-02T08:12:00.000Z',
      last_seen_at: LINKED.last_seen_at,
      identifications: 3,
      complete: true,
      average_score: 10,
      highest_score: 30,
      bands: { trusted: 2, suspicious: 1, dangerous: 0, rate_limited: 0 },
      patterns: [
        {
          ...FINDING_EXAMPLE,
          pattern: 'many_devices_on_account',
          entity_type: 'user_hid',
          entity_value: ROW.user_hid,
        },
      ],
      part_of: [FINDING_EXAMPLE],
      labels: [
        { label: { ...LABEL_EXAMPLE, subject: { type: 'account', value: ROW.user_hid } }, reach: 'direct' },
      ],
      velocity: VELOCITY,
      days: [
        { day: '2026-10-02', identifications: 2, highest_score: 0 },
        { day: '2026-10-08', identifications: 1, highest_score: 30 },
      ],
      linked: {
        device_id: [{ value: ROW.device_id, ...LINKED }],
        visitor_id: [{ value: ROW.visitor_id, ...LINKED }],
        user_hid: [{ value: ROW.user_hid, ...LINKED }],
        ip: [{ value: ROW.ip, ...LINKED }],
        local_ip: [],
        cookie_id: [{ value: ROW.cookie_id, ...LINKED }],
        country: [{ value: ROW.country, ...LINKED }],
        browser: [{ value: ROW.browser, ...LINKED }],
        os: [{ value: ROW.os, ...LINKED }],
      },
      graph: {
        nodes: [
          { type: 'user_hid', value: ROW.user_hid, identifications: 3 },
          { type: 'device_id', value: ROW.device_id, identifications: 3 },
        ],
        edges: [{ from: 0, to: 1, ...LINKED }],
        more: { device_id: 0, visitor_id: 0, user_hid: 0, ip: 0, local_ip: 0, cookie_id: 0 },
      },
    },
  },
}
