import type { AgentRule } from '@inkling/contract'
import { expect, test } from 'vitest'
import type { AgentIdentity, AgentStanding } from '../visit/agent-identity.ts'
import { createAgentPolicy } from './agent-policy.ts'

const agentOf = (standing: AgentStanding, name = 'GPTBot'): AgentIdentity => ({
  standing,
  id: name.toLowerCase(),
  name,
  category: 'ai_training',
  claims: [],
})

const policy = (...agentRules: AgentRule[]) => {
  const decide = createAgentPolicy(() => 0)
  return (agent: AgentIdentity, id = 1) => decide({ id, agentRules }, agent, '/').action
}

test('what lets an agent pass needs a proof, unless the rule says otherwise', () => {
  for (const standing of ['signed', 'spoofed', 'unknown'] as const) {
    const agent = agentOf(standing)
    expect(policy({ action: 'allow' })(agent)).toBeNull()
    expect(policy({ action: 'limit', per_minute: 1 })(agent)).toBeNull()
    expect(policy({ action: 'allow', identity: [standing] })(agent)).toBe('allow')
    expect(policy({ action: 'deny' })(agent)).toBe('deny')
    expect(policy({ action: 'challenge' })(agent)).toBe('challenge')
  }
  expect(policy({ action: 'allow' })(agentOf('verified'))).toBe('allow')
})

test('each verified agent has its own limit, and all unproven names of a domain share one', () => {
  const decide = policy({ action: 'limit', per_minute: 1, identity: ['verified', 'signed', 'unknown'] })
  expect(decide(agentOf('unknown', 'A'))).toBe('allow')
  expect(decide(agentOf('unknown', 'B'))).toBe('limit')
  expect(decide(agentOf('signed', 'C'))).toBe('limit')
  expect(decide(agentOf('unknown', 'B'), 2)).toBe('allow')
  expect(decide(agentOf('verified', 'A'))).toBe('allow')
  expect(decide(agentOf('verified', 'B'))).toBe('allow')
  expect(decide(agentOf('verified', 'B'))).toBe('limit')
})
