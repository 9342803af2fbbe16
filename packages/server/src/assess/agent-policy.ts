import { AGENT_STANDINGS, type AgentAction, type AgentRule } from '@inkling/contract'
import { growingCache } from '../lib/growing-cache.ts'
import { createTokenBuckets } from '../lib/token-buckets.ts'
import type { AgentIdentity, AgentStanding } from '../visit/agent-identity.ts'
import { meetsPath } from './rule-path.ts'

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

/** Rules by domain and by their limit that are counted at once. One that is dropped starts to count again. */
const COUNTERS_MAX = 10_000

/** Decides by the first rule that applies. Each agent is counted by this process alone. */
export function createAgentPolicy(monotonicMs: () => number): DecideAgent {
  // By domain, so that the agents of one cannot displace those of another.
  const counters = growingCache<string, (key: string) => boolean>(COUNTERS_MAX)

  function mayPass(domainId: number, perMinute: number, key: string): boolean {
    const own = `${domainId} ${perMinute}`
    const count =
      counters.get(own) ?? createTokenBuckets({ burst: perMinute, perSecond: perMinute / 60, monotonicMs })
    counters.set(own, count)
    return count(key)
  }

  return ({ id, agentRules }, agent, path) => {
    const index = agent ? agentRules.findIndex((rule) => applies(rule, agent, path)) : -1
    const rule = agentRules[index]
    if (!agent || !rule) return NONE
    const decided = { rule: index + 1, retryAfterSeconds: null }
    if (rule.action !== 'limit' || rule.per_minute === undefined) return { ...decided, action: rule.action }
    // Names without a proof cost nothing: one for each request would be no limit. Anybody can sign, too.
    const who = agent.standing === 'verified' ? (agent.id ?? agent.name) : ''
    if (mayPass(id, rule.per_minute, `${index} ${who}`)) return { ...decided, action: 'allow' }
    return { ...decided, action: 'limit', retryAfterSeconds: Math.max(1, Math.ceil(60 / rule.per_minute)) }
  }
}

/** What lets an agent pass needs a proof, unless the rule says otherwise: a name alone costs nothing. */
const standingsOf = ({ action, identity }: AgentRule): readonly AgentStanding[] =>
  identity ?? (action === 'allow' || action === 'limit' ? ['verified'] : AGENT_STANDINGS)

function applies(rule: AgentRule, agent: AgentIdentity, path: string): boolean {
  if (!standingsOf(rule).includes(agent.standing)) return false
  if (rule.category && !(agent.category && rule.category.includes(agent.category))) return false
  if (rule.operator !== undefined && !sameText(rule.operator, agent.operator)) return false
  if (rule.agent !== undefined && rule.agent !== agent.id) return false
  // A tag on a signature that does not hold says nothing.
  const isSigned = agent.signature?.state === 'valid'
  if (rule.purpose !== undefined && !(isSigned && agent.signature?.purpose === rule.purpose)) return false
  return rule.path === undefined || meetsPath(rule.path, path, rule.action)
}

const sameText = (one: string, other: string | undefined): boolean =>
  one.toLowerCase() === other?.toLowerCase()
