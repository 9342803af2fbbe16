import { randomUUID } from 'node:crypto'
import {
  type AssessedPage,
  type Assessment,
  type AssessRequest,
  NIL_UUID,
  signalTitle,
} from '@inkling/contract'
import type { Domain } from '../auth/directory.ts'
import type { Agents } from '../enrich/agents/identify-agent.ts'
import { agentClaim, type EnrichDeps, enrich } from '../enrich/enrich.ts'
import type { HeaderConsistency } from '../enrich/header-consistency.ts'
import { presentAgent } from '../history/present-agent.ts'
import type { JoinKeys } from '../ingest/join-keys.ts'
import { isJa4 } from '../observe/connection/connection-evidence.ts'
import { withOwnWeights } from '../score/rules.ts'
import { score } from '../score/score.ts'
import type { Scored } from '../visit/identification.ts'
import { type NetworkEvidence, unavailable } from '../visit/network-evidence.ts'
import { createAgentPolicy } from './agent-policy.ts'
import { readRequest } from './read-request.ts'

export interface AssessDeps extends EnrichDeps {
  /** Resolves once more can be known of an agent. It is not waited for: the next request profits. */
  agentCheck: Agents['settled']
  /** The page that the request belongs to, if there is one. */
  findPage(domainId: number, requestId: string, request: Scored): Promise<AssessedPage | null>
  /** Makes the key that the page may join itself by. */
  joinKey: JoinKeys['seal']
  now(): number
  monotonicMs(): number
}

export type Assess = (
  asked: AssessRequest,
  domain: Pick<Domain, 'id' | 'name' | 'namespace' | 'ownRules' | 'agentRules'>,
) => Promise<Assessment>

const NOBODY = { deviceId: NIL_UUID, visitorId: NIL_UUID, components: [] }

/** What a request alone shows. Without a page to look up it uses memory only. */
export function createAssess(deps: AssessDeps): Assess {
  const decide = createAgentPolicy(deps.monotonicMs)

  return async (asked, domain) => {
    const id = randomUUID()
    const received = readRequest(asked, { domain, id, atMs: deps.now() })
    const enriched = enrich(received, deps)
    void deps.agentCheck(agentClaim(received), enriched.agent)?.catch(() => {})
    const headers = ofAnyRequest(enriched.headers)
    const scored = score(
      { ...enriched, headers, identity: NOBODY, sticky: undefined },
      withOwnWeights(domain.ownRules),
    )
    const { action, rule, retryAfterSeconds } = decide(domain, scored.agent, new URL(asked.url).pathname)
    const { tls, http2, headers: seen } = readable(received.network)
    const joinKey = deps.joinKey(
      {
        ...{ assessmentId: id, atMs: received.atMs, score: scored.verdict.score, action, rule },
        ...{ agent: scored.agent, tls, http2, headers: seen },
      },
      { domainId: domain.id, address: received.address, userAgent: received.request.userAgent },
    )
    return {
      assessment_id: id,
      join_key: joinKey,
      agent: scored.agent ? presentAgent(scored.agent) : null,
      action,
      rule,
      retry_after_seconds: retryAfterSeconds,
      ...presentVerdict(scored),
      client: {
        os: scored.client.os,
        browser: scored.client.browser,
        contradictions: headers.contradictions.map(({ name, evidence }) => ({ name, evidence })),
        clear: [...headers.clear],
        unknown: [...headers.unknown],
      },
      address: {
        country: scored.ip.country,
        asn: scored.ip.asn ?? null,
        organization: scored.ip.organization ?? '',
        connection_type: scored.verdict.connectionType,
      },
      page: asked.request_id === undefined ? null : await deps.findPage(domain.id, asked.request_id, scored),
    }
  }
}

/** Pseudo-headers come last in it. */
const HTTP2 = /^[\d:;]+\|\d+\|[\d:,]+\|[a-z](?:,[a-z])*$/
const UNREADABLE = unavailable('unreadable')

/** What joins the evidence of a visit: what is in another form would look like no known browser. */
function readable({ tls, http2, headers }: NetworkEvidence) {
  return {
    tls: tls.available && !isJa4(tls.value.ja4) ? UNREADABLE : tls,
    http2: http2.available && !HTTP2.test(http2.value.fingerprint) ? UNREADABLE : http2,
    headers,
  }
}

/** Which kind of request it is was compared with a page's own request for an identification; here it is any. */
function ofAnyRequest({ contradictions, clear, unknown, ...rest }: HeaderConsistency): HeaderConsistency {
  const isKind = (name: string): boolean => name === 'request_kind'
  return {
    ...rest,
    contradictions: contradictions.filter(({ name }) => !isKind(name)),
    clear: clear.filter((name) => !isKind(name)),
    unknown: unknown.filter((name) => !isKind(name)),
  }
}

const presentVerdict = ({
  verdict,
}: Scored): Pick<Assessment, 'score' | 'entries' | 'clear' | 'unknown'> => ({
  score: verdict.score,
  entries: verdict.entries.map(({ name, description, weight, value, suppressedBy, evidence }) => ({
    name,
    title: signalTitle(name),
    description,
    weight,
    value,
    ...(suppressedBy !== undefined && { suppressed_by: suppressedBy }),
    evidence,
  })),
  clear: verdict.clear,
  unknown: verdict.unknown,
})
