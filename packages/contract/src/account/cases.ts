import { z } from 'zod'
import { DECISION_ACTIONS, DecisionAction } from '../decision.ts'
import { StoredDecision } from '../decision-changed.ts'
import { Uuid } from '../fields.ts'
import { HistoryRow } from '../history-row.ts'
import { LABEL_KIND_PATTERN, LIST_NAMES } from '../lists.ts'
import {
  DomainPath,
  EmailField,
  IdentifierValue,
  NO_DOMAIN,
  nextCursor,
  paging,
  Timestamp,
} from './fields.ts'
import type { AccountOperation } from './operation.ts'
import { FindingField, PatternFinding } from './patterns.ts'

/** What a case is about. */
export const CASE_SUBJECTS = [
  'account',
  'device',
  'visitor',
  'cookie',
  'address',
  'local_address',
  'cidr',
  'finding',
] as const
export type CaseSubject = (typeof CASE_SUBJECTS)[number]
export const CASE_SOURCES = ['rule', 'finding', 'person'] as const
export const CASE_STATUSES = ['open', 'in_progress', 'closed'] as const
export type CaseStatus = (typeof CASE_STATUSES)[number]
/** Least urgent first. */
export const CASE_PRIORITIES = ['low', 'normal', 'high'] as const
export type CasePriority = (typeof CASE_PRIORITIES)[number]
export const CASE_EVENT_KINDS = [
  'opened',
  'review',
  'note',
  'evidence',
  'change',
  'decision',
  'undo',
] as const
export type CaseEventKind = (typeof CASE_EVENT_KINDS)[number]

const TITLE_MAX = 120
const NOTE_MAX = 4_000
const AT_ONCE_MAX = 200

const SubjectField = z
  .strictObject({
    type: z.enum(CASE_SUBJECTS).describe('Kind of subject'),
    value: IdentifierValue.describe('The identifier, or the number of the finding'),
  })
  .describe('What the case is about')
const StatusField = z.enum(CASE_STATUSES)
const PriorityField = z.enum(CASE_PRIORITIES)
const NumberField = z.coerce.number().int().positive()

export const Case = z
  .object({
    number: z.int().describe('Counted for each domain, and never used again'),
    title: z.string().describe('For people'),
    subject: z
      .object({
        type: z.enum(CASE_SUBJECTS).describe('Kind of subject'),
        value: z.string().describe('In normal form'),
      })
      .describe('What the case is about'),
    source: z.enum(CASE_SOURCES).describe('Who opened it: a rule that asked for a review, or a person'),
    status: StatusField.describe('How far it is'),
    priority: PriorityField.describe('How urgent it is'),
    assignee: z.string().nullable().describe('E-mail address of the user who works on it'),
    due_at: Timestamp.describe('When it should be closed'),
    reviews: z.int().describe('Decisions `review` about the subject while it was open'),
    outcome: DecisionAction.nullable().describe(
      'What was decided; null before that, and for a case that was closed without',
    ),
    opened_by: z.string().describe('E-mail address of a user, or `server`'),
    opened_at: Timestamp.describe('When it was opened'),
    changed_at: Timestamp.describe('When something last happened'),
    closed_at: Timestamp.nullable().describe('When it was closed; null while it is open'),
  })
  .describe('A case: something that a person should look at')
export type Case = z.infer<typeof Case>

export const CaseOutcome = z
  .object({
    action: DecisionAction.describe('What to do about the subject'),
    label: z.string().nullable().describe('Kind of the label that was added'),
    list: z.enum(LIST_NAMES).nullable().describe('List that the subject was added to'),
  })
  .describe('What was decided')
export type CaseOutcome = z.infer<typeof CaseOutcome>

export const CaseEvent = z
  .object({
    id: z.int().describe('Number of the event'),
    kind: z.enum(CASE_EVENT_KINDS).describe('What happened'),
    at: Timestamp.describe('When it happened'),
    author: z.string().describe('E-mail address of a user, or `server`'),
    text: z.string().describe('A note, or the reason; may be empty'),
    mentions: z.array(z.string()).optional().describe('Users whose e-mail address the note has after an @'),
    changes: z.record(z.string(), z.string().nullable()).optional().describe('Fields with their new values'),
    identification: HistoryRow.optional().describe('A visit as it was when it was attached'),
    finding: PatternFinding.optional().describe('A finding as it was when it was attached'),
    decision: StoredDecision.optional().describe('A decision as it was when it was attached'),
    outcome: CaseOutcome.optional().describe('What was decided'),
  })
  .describe('An entry of the timeline of a case')
export type CaseEvent = z.infer<typeof CaseEvent>

export const CasePage = z
  .object({
    data: z.array(Case).describe('The one that is due first comes first; of closed ones the newest'),
    next: nextCursor,
  })
  .describe('One page of cases')

export const CaseDetail = z
  .object({
    case: Case.describe('The case'),
    events: z.array(CaseEvent).describe('Its timeline, newest first, at most 500'),
    undoable: z.boolean().describe('Whether its decision can be taken back'),
  })
  .describe('A case with its timeline')
export type CaseDetail = z.infer<typeof CaseDetail>

/** Beyond this a count says no more. */
export const CASES_COUNTED_MAX = 1_000

export const CaseCounts = z
  .object({
    open: z.int().describe('All that are not closed'),
    mine: z.int().describe('Those of the user who asks'),
    unassigned: z.int().describe('Those of nobody'),
    overdue: z.int().describe('Those that should be closed by now'),
    users: z
      .array(z.string())
      .describe(
        'E-mail addresses of the users to whom a case can be given; empty for who cannot work on cases',
      ),
  })
  .describe('How many cases wait, each counted up to 1,000')
export type CaseCounts = z.infer<typeof CaseCounts>

const evidence = {
  request_id: Uuid.optional().describe('A visit to attach as it is now'),
  finding: FindingField.optional().describe('Number of a finding to attach as it is now'),
}

export const CaseOpening = z
  .strictObject({
    subject: SubjectField,
    title: z.string().trim().min(1).max(TITLE_MAX).optional().describe('For people'),
    priority: PriorityField.default('normal').describe('How urgent it is'),
    ...evidence,
  })
  .describe('A new case. If the subject has one that is not closed, the evidence is added to that')

export const CaseChange = z
  .strictObject({
    status: StatusField.optional().describe('How far it is'),
    priority: PriorityField.optional().describe('How urgent it is'),
    assignee: EmailField.nullable().optional().describe('A user; null for nobody'),
    due_at: Timestamp.optional().describe('When it should be closed'),
    title: z.string().trim().min(1).max(TITLE_MAX).optional().describe('For people'),
  })
  .refine((change) => Object.keys(change).length > 0, 'nothing to change')
  .describe('What to change of a case; the rest stays')

export const CasesChange = z
  .strictObject({
    numbers: z.array(z.int().positive()).min(1).max(AT_ONCE_MAX).describe('Numbers of cases'),
    status: StatusField.optional().describe('How far they are'),
    assignee: EmailField.nullable().optional().describe('A user; null for nobody'),
  })
  .refine(({ status, assignee }) => status !== undefined || assignee !== undefined, 'nothing to change')
  .describe('The same change to several cases')

export const CasesChanged = z
  .object({ changed: z.int().describe('Cases that are different now') })
  .describe('What a change did')

export const CaseAddition = z
  .strictObject({
    note: z.string().trim().min(1).max(NOTE_MAX).optional().describe('`@` and an address mention a user'),
    ...evidence,
  })
  .refine((addition) => Object.keys(addition).length > 0, 'nothing to add')
  .describe('A note, evidence, or both')

export const CaseDecision = z
  .strictObject({
    action: z.enum(DECISION_ACTIONS).describe('What to do about the subject'),
    note: z.string().trim().max(NOTE_MAX).default('').describe('Why'),
    label: z
      .string()
      .regex(LABEL_KIND_PATTERN, 'lower-case letters, digits and underscores, at most 40')
      .optional()
      .describe('Adds this label to the subject; for owners'),
    list: z.enum(LIST_NAMES).optional().describe('Adds the subject to this list; for owners'),
  })
  .describe('The decision that closes a case')

const CasePath = DomainPath.extend({ case_id: NumberField.describe('Number of the case') })
const NO_CASE = { 404: 'no such case' } as const

export const CASE_OPERATIONS = {
  listCases: {
    method: 'GET',
    path: '/account/domains/{domain}/cases',
    access: 'visits:read',
    summary: 'Search the cases of a domain',
    params: DomainPath,
    query: z.strictObject({
      status: z
        .enum([...CASE_STATUSES, 'active'])
        .default('active')
        .describe('`active` for all that are not closed'),
      assignee: z
        .union([z.enum(['me', 'none']), EmailField])
        .optional()
        .describe('`me`, `none`, or the e-mail address of a user'),
      priority: PriorityField.optional().describe('Only those of this priority'),
      overdue: z.enum(['true']).optional().describe('Only those that should be closed by now'),
      subject_type: z.enum(CASE_SUBJECTS).optional().describe('Only those about this kind of subject'),
      subject_value: IdentifierValue.optional().describe('Only those about this subject; needs its kind'),
      ...paging,
    }),
    answer: CasePage,
    errors: NO_DOMAIN,
  },
  countCases: {
    method: 'GET',
    path: '/account/domains/{domain}/cases/counts',
    access: 'visits:read',
    summary: 'Count the cases that wait',
    params: DomainPath,
    answer: CaseCounts,
    errors: NO_DOMAIN,
  },
  openCase: {
    method: 'POST',
    path: '/account/domains/{domain}/cases',
    access: 'cases:write',
    summary: 'Open a case, or add to the open one of the subject',
    params: DomainPath,
    body: CaseOpening,
    answer: Case,
    errors: { 404: 'no such finding' },
  },
  changeCases: {
    method: 'PATCH',
    path: '/account/domains/{domain}/cases',
    access: 'cases:write',
    summary: 'Assign or close several cases',
    params: DomainPath,
    body: CasesChange,
    answer: CasesChanged,
    errors: NO_DOMAIN,
  },
  getCase: {
    method: 'GET',
    path: '/account/domains/{domain}/cases/{case_id}',
    access: 'visits:read',
    summary: 'Get a case with its timeline',
    params: CasePath,
    answer: CaseDetail,
    errors: NO_CASE,
  },
  changeCase: {
    method: 'PATCH',
    path: '/account/domains/{domain}/cases/{case_id}',
    access: 'cases:write',
    summary: 'Change a case',
    description: 'A closed case whose subject has an open one again cannot be opened again.',
    params: CasePath,
    body: CaseChange,
    answer: Case,
    errors: { ...NO_CASE, 409: 'the subject has another open case' },
  },
  addToCase: {
    method: 'POST',
    path: '/account/domains/{domain}/cases/{case_id}/events',
    access: 'cases:write',
    summary: 'Add a note or evidence to a case',
    params: CasePath,
    body: CaseAddition,
    answer: CaseDetail,
    errors: NO_CASE,
  },
  decideCase: {
    method: 'POST',
    path: '/account/domains/{domain}/cases/{case_id}/decision',
    access: 'cases:write',
    fieldAccess: { label: 'labels:write', list: 'case-lists:write' },
    summary: 'Decide a case and close it',
    description:
      'Label and entry of a list are stored together with it or not at all. The action is a note for people: what is decided about later visits follows from lists and rules.',
    params: CasePath,
    body: CaseDecision,
    answer: CaseDetail,
    errors: { ...NO_CASE, 403: 'your role does not allow this', 409: 'the case is closed' },
  },
  undoCaseDecision: {
    method: 'DELETE',
    path: '/account/domains/{domain}/cases/{case_id}/decision',
    access: 'cases:write',
    summary: 'Take the decision of a case back',
    description:
      'Opens the case again, and removes the label and the entry that the decision added. What was there before it stays.',
    params: CasePath,
    answer: CaseDetail,
    errors: { ...NO_CASE, 403: 'your role does not allow this', 409: 'there is no decision to take back' },
  },
} as const satisfies Record<string, AccountOperation>
