import { z } from 'zod'
import { CASE_OPERATIONS } from './cases.ts'
import { DECISION_RULE_OPERATIONS } from './decision-rules.ts'
import { DomainPath, NO_DOMAIN, Timestamp } from './fields.ts'
import { LABEL_OPERATIONS } from './labels.ts'
import { LIST_OPERATIONS } from './lists.ts'
import type { AccountOperation, Examples } from './operation.ts'
import { DOMAIN_RIGHT_NAMES } from './roles.ts'

/** What assistants may propose. Each is an operation that a person could call as well. */
export const PROPOSABLE = {
  saveListEntry: LIST_OPERATIONS.saveListEntry,
  saveLabel: LABEL_OPERATIONS.saveLabel,
  openCase: CASE_OPERATIONS.openCase,
  addToCase: CASE_OPERATIONS.addToCase,
  decideCase: CASE_OPERATIONS.decideCase,
  addDecisionRule: DECISION_RULE_OPERATIONS.addDecisionRule,
} as const satisfies Record<string, AccountOperation>
export type ProposableName = keyof typeof PROPOSABLE
export const PROPOSABLE_NAMES = Object.keys(PROPOSABLE) as [ProposableName, ...ProposableName[]]

export const Proposal = z
  .object({
    id: z.string().describe('ID of the proposal'),
    operation: z.enum(PROPOSABLE_NAMES).describe('The operation that would run'),
    needs: z.array(z.enum(DOMAIN_RIGHT_NAMES)).describe('The rights that confirming it takes'),
    params: z.record(z.string(), z.unknown()).describe('Its parameters beside the domain'),
    body: z.record(z.string(), z.unknown()).describe('Its body, exactly as it would run'),
    why: z.string().describe('Why, in the words of the assistant'),
    assistant: z.string().describe('Name of the assistant, as it calls itself'),
    user: z.string().describe('E-mail address of the user for whom it acts'),
    created_at: Timestamp.describe('When it was proposed'),
    expires_at: Timestamp.describe('When it ends unless somebody confirms it'),
  })
  .describe('A change that an assistant proposes')
export type Proposal = z.infer<typeof Proposal>

export const Proposals = z
  .object({ data: z.array(Proposal).describe('Oldest first') })
  .describe('What waits for a person')

const ProposalPath = DomainPath.extend({
  proposal_id: z
    .string()
    .regex(/^[0-9a-f]{1,32}$/, 'the ID of a proposal')
    .describe('ID of the proposal'),
})
const NO_PROPOSAL = { 404: 'no such proposal' } as const

export const PROPOSAL_OPERATIONS = {
  listProposals: {
    method: 'GET',
    path: '/account/domains/{domain}/proposals',
    access: 'visits:read',
    summary: 'List what assistants propose',
    params: DomainPath,
    answer: Proposals,
    errors: NO_DOMAIN,
  },
  confirmProposal: {
    method: 'POST',
    path: '/account/domains/{domain}/proposals/{proposal_id}',
    access: 'cases:write',
    summary: 'Confirm a proposal',
    description:
      'Runs the operation with your rights, as if you had called it. If that fails, the proposal stays.',
    params: ProposalPath,
    answer: 'nothing',
    errors: { ...NO_PROPOSAL, 403: 'your role does not allow this' },
  },
  declineProposal: {
    method: 'DELETE',
    path: '/account/domains/{domain}/proposals/{proposal_id}',
    access: 'cases:write',
    summary: 'Decline a proposal',
    params: ProposalPath,
    answer: 'nothing',
    errors: NO_PROPOSAL,
  },
} as const satisfies Record<string, AccountOperation>

export const PROPOSAL_EXAMPLES: Examples<typeof PROPOSAL_OPERATIONS> = {
  listProposals: {
    answer: {
      data: [
        {
          id: '3f0c9a7be2d14c55',
          operation: 'saveListEntry',
          needs: ['lists:write'],
          params: {},
          body: {
            list: 'watch',
            kind: 'cidr',
            value: '203.0.113.0/24',
            reason: 'Scripted sign-ups',
            expires_at: null,
          },
          why: 'Forty accounts signed up from this network within an hour.',
          assistant: 'Desk assistant',
          user: 'mira@brewline.example',
          created_at: '2026-10-08T14:25:00.000Z',
          expires_at: '2026-10-09T14:25:00.000Z',
        },
      ],
    },
  },
  confirmProposal: {},
  declineProposal: {},
}
