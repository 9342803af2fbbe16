import { parseAddress, samePrefix } from '../lib/address.ts'
import { isLoopback, isPublicAddress } from '../lib/address-scope.ts'
import {
  type ConnectionEvidence,
  type FollowUpEvidence,
  type Leak,
  type NetworkCheck,
  NO_NETWORK_CHECK,
  type Observation,
  type TurnFacts,
  type TurnSighting,
} from '../visit/network-evidence.ts'
import type { IpFacts } from './ip/ip-facts.ts'

interface Visit extends FollowUpEvidence, Pick<ConnectionEvidence, 'syn'> {
  address: string
  ip: IpFacts
}

/** What the network check found: the real address, and whether it differs from the request's. */
export function networkCheck(visit: Visit, lookUpIp: (address: string) => IpFacts): NetworkCheck {
  const { turn, report } = visit
  if (!turn.available && !report.available) return NO_NETWORK_CHECK
  const requestSeen = turn.available
  const browserPassed = report.available && report.value.answered
  const seen = bestSighting(turn, visit.address)?.address
  const facts = seen === undefined ? undefined : lookUpIp(seen)
  return {
    service: seen === undefined || !facts ? undefined : { address: seen, country: facts.country },
    leak: seen === undefined || !facts ? undefined : leakOf(visit, seen, facts),
    requestSeen,
    browserPassed,
    flowStatus: flowStatus(requestSeen, browserPassed),
  }
}

function flowStatus(requestSeen: boolean, browserPassed: boolean): NetworkCheck['flowStatus'] {
  if (requestSeen) return browserPassed ? 'ok' : 'request_without_reply'
  return browserPassed ? 'reply_without_request' : ''
}

/**
 * Prefers UDP to TCP, because proxies forward TCP only, and the family of the request to the other, because the IPv4
 * and IPv6 addresses of one visitor always differ.
 */
function bestSighting(turn: Observation<TurnFacts>, address: string): TurnSighting | undefined {
  if (!turn.available) return undefined
  const family = parseAddress(address)?.family
  const rank = (sighting: TurnSighting): number =>
    (parseAddress(sighting.address)?.family === family ? 0 : 2) + (sighting.transport === 'udp' ? 0 : 1)
  return turn.value.sightings.toSorted((a, b) => rank(a) - rank(b))[0]
}

function leakOf({ address, ip, syn }: Visit, seen: string, facts: IpFacts): Leak | undefined {
  if (seen === address) return undefined
  // The request's address belongs to an undeclared proxy, so it differs for every visitor.
  if (!syn.available && syn.reason === 'undeclared_proxy') return undefined
  const own = parseAddress(address)
  const other = parseAddress(seen)
  if (!own || !other || own.family !== other.family) return undefined
  if (isLoopback(own) || isLoopback(other)) return undefined
  // A visitor in the operator's own network, or behind the operator's own proxy.
  if (isPublicAddress(own) !== isPublicAddress(other)) return undefined
  const sameNetwork =
    ip.asn !== undefined && facts.asn !== undefined
      ? ip.asn === facts.asn
      : samePrefix(own, other, SITE_PREFIX_BITS[own.family])
  return { address: seen, country: facts.country, otherNetwork: !sameNetwork }
}

/** The usual size of a site's network, used where the autonomous system is unknown. */
const SITE_PREFIX_BITS = { 4: 24, 6: 48 }
