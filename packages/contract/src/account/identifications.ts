import { z } from 'zod'
import { AGENT_STANDINGS } from '../agents.ts'
import { BAND_NAMES } from '../bands.ts'
import { ExplainedEntry, Explanation } from '../explanation.ts'
import { Uuid } from '../fields.ts'
import { HistoryRow } from '../history-row.ts'
import { EXPLANATION, ROW } from '../openapi/example-visit.ts'
import { DELIVERY_EXAMPLE, Delivery } from './endpoints.ts'
import { DomainPath, NO_DOMAIN, nextCursor, paging, Timestamp } from './fields.ts'
import { IdentificationFilters, IdentificationSearch } from './identification-filters.ts'
import { LABEL_EXAMPLE, ReachingLabel } from './labels.ts'
import type { AccountOperation, Examples } from './operation.ts'
import { FINDING_EXAMPLE, PatternFinding } from './patterns.ts'

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

export const IdentificationCount = z
  .object({
    total: z.int().describe('Matches that were counted'),
    complete: z.boolean().describe('Whether these are all; otherwise there are at least so many'),
  })
  .describe('How many identifications match')
export type IdentificationCount = z.infer<typeof IdentificationCount>

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
    snapshot_unavailable: z
      .boolean()
      .describe('Whether there is a snapshot that the cold storage cannot give now'),
    deliveries: z.array(Delivery).describe('Every send of its events, oldest first'),
    pending: z.array(PendingEvent).describe('Pending events'),
  })
  .describe('Everything stored of one identification')
export type IdentificationDetail = z.infer<typeof IdentificationDetail>

export const IDENTIFICATION_OPERATIONS = {
  searchIdentifications: {
    method: 'GET',
    path: '/account/domains/{domain}/identifications',
    access: 'visits:read',
    summary: 'Search the identifications of a domain',
    description:
      'All given filters must match. A filter that takes several values is given once for each: `country=Germany&country=France&not_browser=Firefox`. The server searches a limited number of rows per request, so a page can be short or empty while `next` is set.',
    params: DomainPath,
    query: IdentificationSearch.extend(paging),
    answer: IdentificationList,
    errors: NO_DOMAIN,
  },
  countIdentifications: {
    method: 'GET',
    path: '/account/domains/{domain}/identifications/count',
    access: 'visits:read',
    summary: 'Count the identifications that match',
    description:
      'Counts at most 10,000 matches, and for filters without an index those among the newest 100,000 rows that the other filters leave.',
    params: DomainPath,
    query: IdentificationFilters,
    answer: IdentificationCount,
    errors: NO_DOMAIN,
  },
  exportIdentifications: {
    method: 'GET',
    path: '/account/domains/{domain}/identifications/export',
    access: 'visits:export',
    proof: 'recent',
    summary: 'Export identifications',
    description:
      "Streams every match as CSV with a header line, or as a JSON array. A CSV text that a spreadsheet would read as a formula starts with `'`, and has one after `;`, a tab, `|` or a line break where a formula would follow.",
    params: DomainPath,
    query: IdentificationSearch.extend({
      format: z.enum(['csv', 'json']).default('csv').describe('Format of the file'),
    }),
    answer: 'file',
    errors: NO_DOMAIN,
  },
  getIdentification: {
    method: 'GET',
    path: '/account/domains/{domain}/identifications/{request_id}',
    access: 'visits:read',
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
  countIdentifications: { answer: { total: 1_204, complete: true } },
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
      snapshot_unavailable: false,
      deliveries: [DELIVERY_EXAMPLE],
      pending: [],
    },
  },
}
