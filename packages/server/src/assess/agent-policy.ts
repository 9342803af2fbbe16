import type { AgentAction, AgentRule } from '@inkling/contract'
import { createTokenBuckets } from '../lib/token-buckets.ts'
import type { AgentIdentity } from '../visit/agent-identity.ts'

/** What a domain's rules say about a request of an agent. */
export interface AgentDecision {
  action: AgentAction | null
  /** Counted from 1. */
  rule: number | null
  retryAfterSeconds: number | null
}

export type DecideAgent = (
  domain: { id: number; agentRules: readonly AgentRule[] },
  agent: AgentIdentity | undefined,
  path: string,
) => AgentDecision

const NONE: AgentDecision = { action: null, rule: null, retryAfterSeconds: null }

/** Decides by the first rule that applies. Each agent is counted by this process alone. */
export function createAgentPolicy(monotonicMs: () => number): DecideAgent {
  const counters = new Map<number, (key: string) => boolean>()

  function mayPass(perMinute: number, key: string): boolean {
    const count =
      counters.get(perMinute) ??
      createTokenBuckets({ burst: perMinute, perSecond: perMinute / 60, monotonicMs })
    counters.set(perMinute, count)
    return count(key)
  }

  return ({ id, agentRules }, agent, path) => {
    const index = agent ? agentRules.findIndex((rule) => applies(rule, agent, path)) : -1
    const rule = agentRules[index]
    if (!agent || !rule) return NONE
    const decided = { rule: index + 1, retryAfterSeconds: null }
    if (rule.action !== 'limit' || rule.per_minute === undefined) return { ...decided, action: rule.action }
    // An unproven name would let anybody use up the requests of the agent that has it.
    const who = `${agent.standing} ${agent.id ?? agent.name}`
    if (mayPass(rule.per_minute, `${id} ${index} ${who}`)) return { ...decided, action: 'allow' }
    return { ...decided, action: 'limit', retryAfterSeconds: Math.max(1, Math.ceil(60 / rule.per_minute)) }
  }
}

function applies(rule: AgentRule, agent: AgentIdentity, path: string): boolean {
  if (rule.identity && !rule.identity.includes(agent.standing)) return false
  if (rule.category && !(agent.category && rule.category.includes(agent.category))) return false
  if (rule.operator !== undefined && !sameText(rule.operator, agent.operator)) return false
  if (rule.agent !== undefined && rule.agent !== agent.id) return false
  // A tag on a signature that does not hold says nothing.
  const isSigned = agent.signature?.state === 'valid'
  if (rule.purpose !== undefined && !(isSigned && agent.signature?.purpose === rule.purpose)) return false
  if (rule.path === undefined) return true
  return rule.path.endsWith('*') ? path.startsWith(rule.path.slice(0, -1)) : path === rule.path
}

const sameText = (one: string, other: string | undefined): boolean =>
  one.toLowerCase() === other?.toLowerCase()
