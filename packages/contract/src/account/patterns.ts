import { z } from 'zod'
import { HistoryRow } from '../history-row.ts'
import { ROW } from '../openapi/example-visit.ts'
import { PATTERN_ENTITIES, PATTERN_GRADES, PATTERN_NAMES } from '../patterns.ts'
import { DomainPath, IdentifierValue, NO_DOMAIN, nextCursor, paging, Timestamp } from './fields.ts'
import type { AccountOperation, Examples } from './operation.ts'

export const PatternField = z.enum(PATTERN_NAMES)
const Entity = z.enum(PATTERN_ENTITIES)
const A_NUMBER = 'the number of a finding'
/** In a path or a query. */
export const FindingField = z.coerce.number(A_NUMBER).int(A_NUMBER).positive(A_NUMBER)

export const PatternFinding = z
  .object({
    id: z.int().describe('Number of the finding; stays the same when the grade changes'),
    pattern: PatternField.describe('Name of the pattern'),
    entity_type: Entity.describe('Kind of entity'),
    entity_value: z.string().describe('Which device, visitor, account or address'),
    grade: z.enum(PATTERN_GRADES).describe('Grade; the last one of a resolved finding'),
    count: z.int().describe('Number that the pattern counts, such as accounts'),
    suspicious_from: z.int().describe('Threshold of the count for suspicious, at this average score'),
    dangerous_from: z.int().describe('Threshold of the count for dangerous, at this average score'),
    average_score: z.number().describe('Average score of its identifications'),
    first_at: Timestamp.describe('Oldest identification of the finding'),
    last_at: Timestamp.describe('Newest identification of the finding'),
    judged_at: Timestamp.describe('Time of the last evaluation'),
    resolved_at: Timestamp.nullable().describe('When it was resolved; null while it is open'),
  })
  .describe('A pattern on a device, visitor, account or address')
export type PatternFinding = z.infer<typeof PatternFinding>

export const PatternFindings = z
  .object({ data: z.array(PatternFinding).describe('Newest first'), next: nextCursor })
  .describe('One page of findings')
export type PatternFindings = z.infer<typeof PatternFindings>

export const PatternValue = z
  .object({
    value: z.string().describe('The value'),
    identifications: z.int().describe('Identifications of the finding that have it'),
    claimed: z
      .boolean()
      .optional()
      .describe('True for an account that none of them had signed, although the domain has a user key'),
  })
  .describe('A value that occurs in a finding')
export type PatternValue = z.infer<typeof PatternValue>

/** A finding keeps the newest of its identifications, and of many not all. */
export const FINDING_ROWS_MAX = 200
const values = (what: string) => z.array(PatternValue).describe(`${what}, most frequent first`)

export const PatternFindingDetail = z
  .object({
    finding: PatternFinding.describe('The finding'),
    window_seconds: z.int().describe('How far back the pattern looks'),
    values: z
      .object({
        device_id: values('Devices'),
        visitor_id: values('Visitors'),
        cookie_id: values('Cookies'),
        user_hid: values('Accounts'),
        ip: values('Public IPv4 addresses'),
        country: values('Countries'),
      })
      .describe('Values of its identifications'),
    rows: z.array(HistoryRow).describe(`Its identifications, newest first, at most ${FINDING_ROWS_MAX}`),
  })
  .describe('A finding with its identifications')
export type PatternFindingDetail = z.infer<typeof PatternFindingDetail>

export const PatternFilters = z.strictObject({
  pattern: PatternField.optional().describe('Exactly this pattern'),
  grade: z.enum(PATTERN_GRADES).optional().describe('Exactly this grade'),
  state: z
    .enum(['open', 'resolved', 'all'])
    .default('open')
    .describe('`open` or `resolved` findings, or `all`'),
  entity_type: Entity.optional().describe('Exactly this kind of entity'),
  entity_value: IdentifierValue.optional().describe('Exactly this entity'),
})
export type PatternFilters = z.infer<typeof PatternFilters>

export const PATTERN_OPERATIONS = {
  listPatterns: {
    method: 'GET',
    path: '/account/domains/{domain}/patterns',
    access: 'visits:read',
    summary: 'List the findings of abuse patterns',
    params: DomainPath,
    query: PatternFilters.extend(paging),
    answer: PatternFindings,
    errors: NO_DOMAIN,
  },
  exportPatterns: {
    method: 'GET',
    path: '/account/domains/{domain}/patterns/export',
    access: 'visits:export',
    proof: 'recent',
    summary: 'Export the findings of abuse patterns',
    description: 'Streams every match as CSV with a header line, or as a JSON array.',
    params: DomainPath,
    query: PatternFilters.extend({
      format: z.enum(['csv', 'json']).default('csv').describe('Format of the file'),
    }),
    answer: 'file',
    errors: NO_DOMAIN,
  },
  getPattern: {
    method: 'GET',
    path: '/account/domains/{domain}/patterns/{finding_id}',
    access: 'visits:read',
    summary: 'Get a finding with its identifications',
    params: DomainPath.extend({
      finding_id: FindingField.describe('Number of the finding'),
    }),
    answer: PatternFindingDetail,
    errors: { 404: 'no such finding' },
  },
} as const satisfies Record<string, AccountOperation>

export const FINDING_EXAMPLE: PatternFinding = {
  id: 4,
  pattern: 'many_accounts_on_device',
  entity_type: 'device_id',
  entity_value: ROW.device_id,
  grade: 'suspicious',
  count: 7,
  suspicious_from: 6,
  dangerous_from: 11,
  average_score: 30,
  first_at: '2026-10-02T08:12:00.000Z',
  last_at: '2026-10-08T14:21:37.205Z',
  judged_at: '2026-10-08T14:23:00.000Z',
  resolved_at: null,
}

const once = (value: string) => [{ value, identifications: 1 }]

const FINDING_DETAIL: PatternFindingDetail = {
  finding: FINDING_EXAMPLE,
  window_seconds: 2_592_000,
  values: {
    device_id: once(ROW.device_id),
    visitor_id: once(ROW.visitor_id),
    cookie_id: once(ROW.cookie_id),
    user_hid: once(ROW.user_hid),
    ip: once(ROW.ip),
    country: once(ROW.country),
  },
  rows: [ROW],
}

export const PATTERN_EXAMPLES: Examples<typeof PATTERN_OPERATIONS> = {
  listPatterns: { answer: { data: [FINDING_EXAMPLE], next: null } },
  exportPatterns: {},
  getPattern: { answer: FINDING_DETAIL },
}
