import { z } from 'zod'
import { AGENT_CATEGORIES, AgentRules } from '../agents.ts'
import { DomainPath, NO_DOMAIN, Timestamp } from './fields.ts'
import type { AccountOperation, Examples } from './operation.ts'

const NOTE_MAX = 500

export const KnownAgent = z
  .object({
    id: z.string().describe('Its name in rules'),
    name: z.string().describe('Name for people'),
    operator: z.string().describe('Who runs it'),
    category: z.enum(AGENT_CATEGORIES).describe('Kind of agent'),
    purpose: z.string().describe('What its operator says that it does'),
    proofs: z
      .array(z.string())
      .describe('How it can prove itself: `signature`, `address`; empty if it cannot'),
    source: z.string().describe('Where that is documented'),
    read: z.string().nullable().describe('When that was read; null where only its user agent says so'),
  })
  .describe('A declared agent of the catalogue')
export type KnownAgent = z.infer<typeof KnownAgent>

export const AgentPolicyVersion = z
  .object({
    version: z.int().describe('Counts from 1'),
    saved_at: Timestamp.describe('When it was saved'),
    actor: z.string().describe('Who saved it'),
    note: z.string().describe('Reason, as its author wrote it'),
    rules: AgentRules,
  })
  .describe('A saved version of the rules for agents; it never changes')
export type AgentPolicyVersion = z.infer<typeof AgentPolicyVersion>

export const AgentPolicy = z
  .object({
    rules: AgentRules.describe('The rules in use; the first that applies decides'),
    versions: z
      .array(AgentPolicyVersion)
      .describe('Every saved version, the newest first; it is the one in use'),
    agents: z.array(KnownAgent).describe('The catalogue of this installation'),
  })
  .describe('What happens to requests of declared agents')
export type AgentPolicy = z.infer<typeof AgentPolicy>

export const AgentPolicySaving = z
  .object({ rules: AgentRules, note: z.string().max(NOTE_MAX).default('').describe('Reason') })
  .describe('Rules for agents to use from now on')

export const AGENT_OPERATIONS = {
  getAgentPolicy: {
    method: 'GET',
    path: '/account/domains/{domain}/agents',
    access: 'visits:read',
    summary: 'Read the rules of a domain for declared agents',
    params: DomainPath,
    answer: AgentPolicy,
    errors: NO_DOMAIN,
  },
  saveAgentPolicy: {
    method: 'POST',
    path: '/account/domains/{domain}/agents',
    access: 'rules:write',
    summary: 'Save rules for declared agents as a new version and use them',
    description: 'Every server of the installation answers by them within a second.',
    params: DomainPath,
    body: AgentPolicySaving,
    answer: AgentPolicy,
    errors: NO_DOMAIN,
  },
} as const satisfies Record<string, AccountOperation>

const POLICY: AgentPolicy = {
  rules: [
    { action: 'deny', category: ['ai_training'] },
    { action: 'limit', per_minute: 30, identity: ['verified'], category: ['assistant'] },
  ],
  versions: [
    {
      version: 1,
      saved_at: '2026-10-08T14:25:00.000Z',
      actor: 'mira@brewline.example',
      note: 'No training on our articles',
      rules: [
        { action: 'deny', category: ['ai_training'] },
        { action: 'limit', per_minute: 30, identity: ['verified'], category: ['assistant'] },
      ],
    },
  ],
  agents: [
    {
      id: 'brew_buyer',
      name: 'Brew Buyer',
      operator: 'Brewline',
      category: 'shopping',
      purpose: 'Orders beans for its customers',
      proofs: ['signature'],
      source: 'https://brewline.example/agent',
      read: '2026-10-08',
    },
  ],
}

export const AGENT_EXAMPLES: Examples<typeof AGENT_OPERATIONS> = {
  getAgentPolicy: { answer: POLICY },
  saveAgentPolicy: { body: { rules: POLICY.rules, note: 'No training on our articles' }, answer: POLICY },
}
