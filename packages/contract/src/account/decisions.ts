import { z } from 'zod'
import { DecisionAction, DecisionPurpose } from '../decision.ts'
import { StoredDecision } from '../decision-changed.ts'
import { Uuid } from '../fields.ts'
import { DECIDED } from '../openapi/example-visit.ts'
import { DomainPath, NO_DOMAIN, nextCursor, paging } from './fields.ts'
import type { AccountOperation, Examples } from './operation.ts'

export const DecisionPage = z
  .object({ data: z.array(StoredDecision).describe('Newest first'), next: nextCursor })
  .describe('One page of the decisions of a domain')

const DecisionCount = z
  .object({
    total: z.int().describe('Decisions that were counted'),
    complete: z.boolean().describe('Whether these are all; otherwise there are at least so many'),
  })
  .describe('How many decisions there are with an action')

export const DecisionCounts = z
  .object({
    actions: z.record(DecisionAction, DecisionCount).describe('By the action that was answered'),
  })
  .describe('The decisions of a domain by action')
export type DecisionCounts = z.infer<typeof DecisionCounts>

const Moment = z.iso.datetime({ offset: true })
const TIMES = {
  from: Moment.optional().describe('Not decided before this time'),
  to: Moment.optional().describe('Decided before this time'),
}

export const DecisionFilters = z.strictObject({
  request_id: Uuid.optional().describe('Only decisions about this visit'),
  action: DecisionAction.optional().describe('Only decisions with this action'),
  purpose: DecisionPurpose.optional().describe('Only decisions for this purpose'),
  ...TIMES,
})
export type DecisionFilters = z.infer<typeof DecisionFilters>

export const DECISION_OPERATIONS = {
  listDecisions: {
    method: 'GET',
    path: '/account/domains/{domain}/decisions',
    access: 'visits:read',
    summary: 'List what was decided',
    description:
      'Answers of `POST /api/v1/decide`, kept as long as their visits. Velocity is with the identification.',
    params: DomainPath,
    query: DecisionFilters.extend(paging),
    answer: DecisionPage,
    errors: NO_DOMAIN,
  },
  countDecisions: {
    method: 'GET',
    path: '/account/domains/{domain}/decisions/count',
    access: 'visits:read',
    summary: 'Count what was decided, by action',
    description: 'Counts at most 25,000 decisions of each action.',
    params: DomainPath,
    query: z.strictObject(TIMES),
    answer: DecisionCounts,
    errors: NO_DOMAIN,
  },
} as const satisfies Record<string, AccountOperation>

const { velocity: _velocity, ...STORED } = DECIDED

export const DECISION_EXAMPLES: Examples<typeof DECISION_OPERATIONS> = {
  listDecisions: { answer: { data: [{ ...STORED, changed: null }], next: null } },
  countDecisions: {
    answer: {
      actions: {
        allow: { total: 1_530, complete: true },
        review: { total: 12, complete: true },
        challenge: { total: 104, complete: true },
        deny: { total: 41, complete: true },
      },
    },
  },
}
