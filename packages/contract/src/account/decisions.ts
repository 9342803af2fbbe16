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

export const DECISION_OPERATIONS = {
  listDecisions: {
    method: 'GET',
    path: '/account/domains/{domain}/decisions',
    access: 'visits:read',
    summary: 'List what was decided',
    description:
      'Answers of `POST /api/v1/decide`, kept as long as their visits. Velocity is with the identification.',
    params: DomainPath,
    query: z.strictObject({
      request_id: Uuid.optional().describe('Only decisions about this visit'),
      action: DecisionAction.optional().describe('Only decisions with this action'),
      purpose: DecisionPurpose.optional().describe('Only decisions for this purpose'),
      ...paging,
    }),
    answer: DecisionPage,
    errors: NO_DOMAIN,
  },
} as const satisfies Record<string, AccountOperation>

const { velocity: _velocity, ...STORED } = DECIDED

export const DECISION_EXAMPLES: Examples<typeof DECISION_OPERATIONS> = {
  listDecisions: { answer: { data: [{ ...STORED, changed: null }], next: null } },
}
