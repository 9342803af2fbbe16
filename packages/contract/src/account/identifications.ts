import { z } from 'zod'
import { AGENT_CATEGORIES, AGENT_STANDINGS } from '../agents.ts'
import { BAND_NAMES } from '../bands.ts'
import { DETECTION_FLAGS, type DetectionFlag } from '../detection-flags.ts'
import { ExplainedEntry, Explanation } from '../explanation.ts'
import { Uuid } from '../fields.ts'
import { HistoryRow } from '../history-row.ts'
import { EXPLANATION, ROW } from '../openapi/example-visit.ts'
import { DELIVERY_EXAMPLE, Delivery } from './endpoints.ts'
import { DomainPath, NO_DOMAIN, nextCursor, paging, Timestamp } from './fields.ts'
import { LABEL_EXAMPLE, ReachingLabel } from './labels.ts'
import type { AccountOperation, Examples } from './operation.ts'
import { FINDING_EXAMPLE, FindingField, PatternField, PatternFinding } from './patterns.ts'

const FLAG_NAMES = DETECTION_FLAGS.map(({ flag }) => flag) as [DetectionFlag, ...DetectionFlag[]]

const Score = z.coerce.number().int().min(0).max(999)
const Label = z.string().max(200)
const Moment = z.iso.datetime({ offset: true })

const FILTERS = {
  request_id: Uuid.optional().describe('Exactly this identification'),
  device_id: Uuid.optional().describe('Exactly this device'),
  visitor_id: Uuid.optional().describe('Exactly this visitor'),
  session_id: Uuid.optional().describe('Exactly this session'),
  cookie_id: Uuid.optional().describe('Exactly this cookie'),
  user_hid: z.string().max(1_024).optional().describe('Exactly this account'),
  ip: z
    .union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()])
    .optional()
    .describe('This address, or any address of a network such as `2001:db8::/48`'),
  local_ip: z
    .ipv4()
    .optional()
    .describe(
      'Behind this local IPv4 address: the one that the browser leaked, or else the one that the network check saw',
    ),
  score_min: Score.optional().describe('Lowest score'),
  score_max: Score.optional().describe('Highest score'),
  band: z.enum(BAND_NAMES).optional().describe('Band of the score'),
  flag: z.enum(FLAG_NAMES).optional().describe('With this detection flag'),
  signal: z
    .string()
    .regex(/^[a-z0-9_]{1,64}$/, 'the name of a signal')
    .optional()
    .describe('With a hit of this signal, suppressed or not'),
  pattern: PatternField.optional().describe('In an open finding of this pattern'),
  finding: FindingField.optional().describe('In the evidence of the finding with this number'),
  country: Label.optional().describe('English name; empty for unknown'),
  connection_type: Label.optional().describe('As in the row'),
  browser: Label.optional().describe('As in the row'),
  os: Label.optional().describe('As in the row'),
  device_type: Label.optional().describe('As in the row'),
  agent_identity: z
    .enum(['any', ...AGENT_STANDINGS])
    .optional()
    .describe('Of a declared agent with this identity; `any` for all declared agents'),
  agent_category: z.enum(AGENT_CATEGORIES).optional().describe('Of a declared agent of this kind'),
  agent: z.string().max(253).optional().describe('Of the declared agent with this name'),
  from: Moment.optional().describe('Not before this time'),
  to: Moment.optional().describe('Before this time'),
  sort: z
    .enum(['newest', 'oldest', 'riskiest', 'safest'])
    .default('newest')
    .describe('By time, or by score and then by time'),
}

export const IdentificationFilters = z.strictObject(FILTERS)
export type IdentificationFilters = z.infer<typeof IdentificationFilters>

export const IdentificationList = z
  .object({
    data: z.array(HistoryRow).describe('Rows in the requested order'),
    evidence: z
      .record(Uuid, z.number())
      .describe('How much is known of each visit, 0 to 1, by request ID; visits without this are missing'),
    agents: z
      .record(
        Uuid,
        z.object({
          identity: z.enum(AGENT_STANDINGS).describe('What is proven of it'),
          category: z.string().optional().describe('Kind of agent, by the catalogue'),
          name: z.string().describe('Its name, or what it claims to be'),
        }),
      )
      .describe('The agents that visits declare, by request ID'),
    next: nextCursor,
  })
  .describe('One page of a search')
export type IdentificationList = z.infer<typeof IdentificationList>

export const IdentificationVersion = z
  .object({
    ver: z.int().describe('Unix milliseconds'),
    score: z.int().describe('Score of this version'),
    connection_type: z.string().describe('As in the row'),
    rules: z
      .union([z.int(), z.literal('file')])
      .nullable()
      .describe(
        'Version of the domain’s own weights that scored it, `file` for those of a rules file; null for the weights of the release',
      ),
    flags: z.array(z.string()).describe('Detection flags that were raised'),
    entries: z.array(ExplainedEntry).describe('What the score is made of'),
    clear: z.array(z.string()).describe('Signals that did not hit'),
    unknown: z.array(z.string()).describe('Signals whose facts were missing'),
  })
  .describe('One version of an identification')
export type IdentificationVersion = z.infer<typeof IdentificationVersion>

export const PendingEvent = z
  .object({
    endpoint_id: z.int().describe('Number of the endpoint'),
    attempts: z.int().describe('Sends so far'),
    due_at: Timestamp.describe('Earliest time of the next send'),
    body: z.string().describe('The exact text that will be sent, unless a refinement replaces it'),
  })
  .describe('A pending event')
export type PendingEvent = z.infer<typeof PendingEvent>

export const IdentificationDetail = z
  .object({
    row: HistoryRow.describe('The current version'),
    band: z.enum(BAND_NAMES).describe('Band of the score'),
    explanation: Explanation.describe('How the score came about'),
    labels: z.array(ReachingLabel).describe('Labels that reach it, the newest first, at most 50'),
    patterns: z
      .array(PatternFinding)
      .describe('Open findings that have it in their evidence, at most 50, newest first'),
    versions: z.array(IdentificationVersion).describe('Oldest first; the last is the current one'),
    snapshot: z
      .record(z.string(), z.unknown())
      .nullable()
      .describe('What the agent and the network showed; null if no snapshot is stored'),
    deliveries: z.array(Delivery).describe('Every send of its events, oldest first'),
    pending: z.array(PendingEvent).describe('Pending events'),
  })
  .describe('Everything stored of one identification')
export type IdentificationDetail = z.infer<typeof IdentificationDetail>

export const IDENTIFICATION_OPERATIONS = {
  searchIdentifications: {
    method: 'GET',
    path: '/account/domains/{domain}/identifications',
    access: 'analyst',
    summary: 'Search the identifications of a domain',
    description:
      'All given filters must match. The server searches a limited number of rows per request, so a page can be short or empty while `next` is set.',
    params: DomainPath,
    query: IdentificationFilters.extend(paging),
    answer: IdentificationList,
    errors: NO_DOMAIN,
  },
  exportIdentifications: {
    method: 'GET',
    path: '/account/domains/{domain}/identifications/export',
    access: 'analyst',
    proof: 'recent',
    summary: 'Export identifications',
    description:
      "Streams every match as CSV with a header line, or as a JSON array. A CSV text that a spreadsheet would read as a formula starts with `'`.",
    params: DomainPath,
    query: IdentificationFilters.extend({
      format: z.enum(['csv', 'json']).default('csv').describe('Format of the file'),
    }),
    answer: 'file',
    errors: NO_DOMAIN,
  },
  getIdentification: {
    method: 'GET',
    path: '/account/domains/{domain}/identifications/{request_id}',
    access: 'analyst',
    summary: 'Get an identification with its versions, snapshot and deliveries',
    params: DomainPath.extend({ request_id: Uuid.describe('The identification') }),
    answer: IdentificationDetail,
    errors: { 404: 'no such identification' },
  },
} as const satisfies Record<string, AccountOperation>

const { entries, clear, unknown } = EXPLANATION

export const IDENTIFICATION_EXAMPLES: Examples<typeof IDENTIFICATION_OPERATIONS> = {
  searchIdentifications: {
    answer: {
      data: [ROW],
      evidence: { [ROW.request_id]: 0.65 },
      agents: { [ROW.request_id]: { identity: 'verified', category: 'shopping', name: 'Brew Buyer' } },
      next: 'WzE3OTE0NjkyOTcyMDUsN10',
    },
  },
  exportIdentifications: {},
  getIdentification: {
    answer: {
      row: ROW,
      band: 'suspicious',
      explanation: EXPLANATION,
      labels: [{ label: LABEL_EXAMPLE, reach: 'same_account' }],
      patterns: [FINDING_EXAMPLE],
      versions: [
        {
          ver: ROW.ver,
          score: ROW.score,
          connection_type: ROW.connection_type,
          rules: null,
          flags: ['datacenter_ip', 'abuser', 'timezone_mismatch', 'ip_mismatch'],
          entries,
          clear,
          unknown,
        },
      ],
      snapshot: { version: 1, address: ROW.ip },
      deliveries: [DELIVERY_EXAMPLE],
      pending: [],
    },
  },
}
