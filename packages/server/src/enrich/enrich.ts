import type { Enriched, Received } from '../identification.ts'
import { clientFacts } from './client-facts.ts'
import type { IpFacts } from './ip/ip-facts.ts'
import { trafficSource } from './traffic-source.ts'

export interface EnrichDeps {
  lookUpIp(address: string): IpFacts
}

/** Adds what is known of the address, the browser and where the visitor came from. Memory work only. */
export function enrich(received: Received, { lookUpIp }: EnrichDeps): Enriched {
  const { user_agent, client_hints, hardware, platform } = received.readings
  const client = clientFacts({
    userAgent: user_agent.ok ? user_agent.value : received.request.userAgent,
    ...(client_hints.ok && { clientHints: client_hints.value }),
    ...(hardware.ok && { maxTouchPoints: hardware.value.max_touch_points }),
    ...(platform.ok && { platform: platform.value }),
  })
  const traffic = trafficSource({
    landingUrl: received.landing.url,
    referrer: received.landing.referrer,
    siteDomain: received.domain.name,
    // A crawler's name counts only once its address is verified.
    crawlerName: undefined,
  })
  return { ...received, ip: lookUpIp(received.address), client, traffic }
}
