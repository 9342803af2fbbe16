import type { AgentIdentity, AgentStanding } from '../visit/agent-identity.ts'
import type { EdgeJoin } from '../visit/edge-join.ts'
import type { Enriched } from '../visit/identification.ts'
import type { Received } from '../visit/received.ts'
import type { AgentClaim, Agents } from './agents/identify-agent.ts'
import { clientFacts } from './client-facts.ts'
import type { VerifiedCrawler } from './crawlers/crawler-verifier.ts'
import { headerConsistency } from './header-consistency.ts'
import type { IpFacts } from './ip/ip-facts.ts'
import { networkCheck } from './network-check.ts'
import { networkStack } from './network-stack.ts'
import { trafficSource } from './traffic-source.ts'

export interface EnrichDeps {
  lookUpIp(address: string): IpFacts
  /** The crawler that the address proves, see `CrawlerVerifier`. `pending` is not waited for. */
  verifyCrawler(userAgent: string, address: string): VerifiedCrawler | 'pending' | undefined
  identifyAgent: Agents['identify']
}

/** Adds what is known of the address, the browser and the traffic source. Uses memory only. */
export function enrich(received: Received, { lookUpIp, verifyCrawler, identifyAgent }: EnrichDeps): Enriched {
  const { user_agent, client_hints, hardware, platform } = received.readings
  const client = clientFacts({
    userAgent: user_agent.ok ? user_agent.value : received.request.userAgent,
    ...(client_hints.ok && { clientHints: client_hints.value }),
    ...(hardware.ok && { maxTouchPoints: hardware.value.max_touch_points }),
    ...(platform.ok && { platform: platform.value }),
  })
  const claimed = verifyCrawler(received.request.userAgent, received.address)
  const crawler = claimed === 'pending' ? undefined : claimed
  const agent = likelierAgent(identifyAgent(agentClaim(received)), received.edge)
  const ip = lookUpIp(received.address)
  const traffic = trafficSource({
    landingUrl: received.landing.url,
    referrer: received.landing.referrer,
    siteDomain: received.domain.name,
    crawlerName: crawler?.name,
  })
  return {
    ...received,
    ip,
    client,
    crawler,
    agent,
    stack: networkStack(received.network.syn),
    headers: headerConsistency(received.network.headers, {
      userAgent: received.request.userAgent,
      engine: client.engine,
      readings: received.readings,
      secure: received.network.tls.available,
    }),
    check: networkCheck({ ...received.network, address: received.address, ip }, lookUpIp),
    traffic,
  }
}

/** What the visit's request shows of the program that sent it. */
export const agentClaim = (received: Received): AgentClaim => ({
  userAgent: received.request.userAgent,
  address: received.address,
  // The same visit is scored again; a request alone has no ID of its own, and its client may repeat it.
  use: received.via === 'edge' ? `${received.signed?.method} ${received.landing.url}` : received.requestId,
  atMs: received.atMs,
  signed: received.signed,
})

/** The best proven first. */
const STANDINGS: readonly AgentStanding[] = ['verified', 'signed', 'spoofed', 'unknown']

/**
 * Agents sign the request for a page, and rarely what its scripts send. So what the edge saw of that request counts where
 * it proves more, if it came from the same address.
 */
function likelierAgent(
  own: AgentIdentity | undefined,
  edge: EdgeJoin | undefined,
): AgentIdentity | undefined {
  const asked = edge?.state === 'joined' && edge.sameAddress ? edge.agent : undefined
  if (!own || !asked) return own ?? asked
  return STANDINGS.indexOf(asked.standing) < STANDINGS.indexOf(own.standing) ? asked : own
}
