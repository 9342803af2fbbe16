import { z } from 'zod'
import { ROW } from '../openapi/example-visit.ts'
import { CASE_EXAMPLE } from './case-examples.ts'
import { Case } from './cases.ts'
import { DomainPath, IdentifierValue, NO_DOMAIN, Timestamp } from './fields.ts'
import { LIST_ENTRY_EXAMPLE, ListEntry } from './lists.ts'
import type { AccountOperation, Examples } from './operation.ts'
import { FINDING_EXAMPLE, PatternFinding } from './patterns.ts'

/** What visits have, or come from. */
export const SEEN_KINDS = [
  'request',
  'device',
  'visitor',
  'session',
  'cookie',
  'account',
  'address',
  'local_address',
  'network',
  'country',
] as const
export type SeenKind = (typeof SEEN_KINDS)[number]

export const ABSENT_KINDS = [...SEEN_KINDS, 'asn', 'case', 'finding'] as const
export type AbsentKind = (typeof ABSENT_KINDS)[number]

/** Of a kind. A text that fits more is too short. */
export const FOUND_MAX = 8

export const SeenSubject = z
  .object({
    kind: z.enum(SEEN_KINDS).describe('What it is; `request` for a single identification'),
    value: z.string().describe('The whole ID, account, address or CIDR, or the English name of a country'),
    last_seen_at: Timestamp.nullable().describe(
      'Newest identification; null for networks and countries, of which it is not looked up',
    ),
  })
  .describe('Something that identifications of the domain have')
export type SeenSubject = z.infer<typeof SeenSubject>

export const AbsentSubject = z
  .object({
    kind: z.enum(ABSENT_KINDS).describe('What the text could be'),
    value: z.string().describe('As it was read: an ID or the beginning of one in lower case, or a number'),
  })
  .describe('Something that the text names and the domain does not have')
export type AbsentSubject = z.infer<typeof AbsentSubject>

export const FoundThings = z
  .object({
    seen: z
      .array(SeenSubject)
      .describe(`What identifications have, at most ${FOUND_MAX} of a kind, the latest first`),
    list_entries: z.array(ListEntry).describe(`Entries of lists, at most ${FOUND_MAX}`),
    cases: z
      .array(Case)
      .describe(
        `Cases: the one with the number, those about what was found, then by title; at most ${FOUND_MAX}`,
      ),
    findings: z
      .array(PatternFinding)
      .describe(
        `Findings: the one with the number, open ones on what was found, then by pattern; at most ${FOUND_MAX}`,
      ),
    absent: z.array(AbsentSubject).describe('What the text names and the domain does not have'),
  })
  .describe('Everything of a domain that a text can mean')
export type FoundThings = z.infer<typeof FoundThings>

export const FIND_OPERATIONS = {
  findAnything: {
    method: 'GET',
    path: '/account/domains/{domain}/find',
    access: 'visits:read',
    summary: 'Find whatever a text names',
    description:
      'Reads the text as an ID or the first six characters of one or more, an account or its beginning, an IP address, a CIDR, the number of an autonomous system such as `AS13335`, a country by code or name, a number or name of a case or a pattern, and the value of an entry of a list. Letters of IDs may have either case. Titles are those of the thousand cases that are due first and the thousand that were closed last; names of patterns are those of the thousand newest findings.',
    params: DomainPath,
    query: z.strictObject({ q: IdentifierValue.describe('The text') }),
    answer: FoundThings,
    errors: NO_DOMAIN,
  },
} as const satisfies Record<string, AccountOperation>

export const FIND_EXAMPLES: Examples<typeof FIND_OPERATIONS> = {
  findAnything: {
    answer: {
      seen: [{ kind: 'device', value: ROW.device_id, last_seen_at: '2026-10-08T14:21:37.205Z' }],
      list_entries: [LIST_ENTRY_EXAMPLE],
      cases: [CASE_EXAMPLE],
      findings: [FINDING_EXAMPLE],
      absent: [{ kind: 'cookie', value: ROW.device_id.slice(0, 8) }],
    },
  },
}
