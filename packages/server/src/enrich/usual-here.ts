import { createUsualOfHost, type PageHost } from '../lib/usual-of-host.ts'
import type { Enriched } from '../visit/identification.ts'
import { type NetworkEvidence, unavailable } from '../visit/network-evidence.ts'
import { createScriptLoads, type ScriptLoads } from './script-loads.ts'
import { createUsualClients, http2KindOf, kindOf, siteNetworkOf } from './usual-clients.ts'
import { createUsualCurves } from './usual-curves.ts'

/** Networks of a domain that must be known before what they have is usual there. */
const CHANNEL_NETWORKS_MIN = 5
const SCRIPT_NETWORKS_MIN = 20
const CURVE_NETWORKS_MIN = 20
/** For so long browsers may keep the loader, as `http/agent-script.ts` says: they may have it from before a start. */
const SCRIPT_CACHED_MS = 300_000

const NEVER_OPENED = { roundTrip: unavailable('never_opened') }

/** What the visits of this installation usually have: kinds of TLS, loads of the script, open channels, curves. */
export interface UsualHere {
  /** Notes that a browser loaded the agent's script. */
  scriptLoaded: ScriptLoads['add']
  /** What is usual, as facts of the visit, so that it is scored again as it was scored first. */
  describe(enriched: Enriched): Enriched
  /** The network evidence of a visit that had its time to open a channel, on a page where practically all visits do. */
  withoutChannel(visit: Enriched, network: NetworkEvidence): NetworkEvidence
  /**
   * @param visit a proven one
   * @param isOwn whether its TLS is positively that of its engine: anybody else may say how long curves are
   */
  learnConnection(visit: Enriched, isOwn: boolean): void
  /** @param visit one that nobody forged, which had its time to open a channel */
  learnChannel(visit: Enriched, isOpened: boolean): void
}

const pageOf = ({ domain, host }: Enriched): PageHost => ({ domainId: domain.id, host })

const connectionOf = ({ client, network: { tls, headers }, address }: Enriched) => ({
  client,
  tls,
  headers,
  address,
})

const isUnopened = ({ roundTrip }: NetworkEvidence): boolean =>
  !roundTrip.available && roundTrip.reason === 'not_started'

export function createUsualHere(now: () => number): UsualHere {
  const clients = createUsualClients()
  const channels = createUsualOfHost(CHANNEL_NETWORKS_MIN)
  const scripts = createScriptLoads()
  const loads = createUsualOfHost(SCRIPT_NETWORKS_MIN)
  const curves = createUsualCurves()
  const measures = createUsualOfHost(CURVE_NETWORKS_MIN)
  const startedAtMs = now()

  const isScriptMissing = (visit: Enriched): boolean =>
    now() - startedAtMs > SCRIPT_CACHED_MS &&
    scripts.has(connectionOf(visit)) === false &&
    loads.isUsual(pageOf(visit)) === true

  function withLearnedConnection({ client, network }: Enriched, isScriptLoaded: boolean): NetworkEvidence {
    const { tls, http2 } = network
    if (!tls.available) return network
    const usual = clients.isUsual(client, kindOf(tls))
    const learned = {
      ...(usual !== undefined && { usual }),
      ...(!isScriptLoaded && { scriptLoaded: false as const }),
    }
    const usualHttp2 = clients.isUsual(client, http2KindOf(http2))
    return {
      ...network,
      tls: { ...tls, value: { ...tls.value, ...learned } },
      ...(http2.available && usualHttp2 && { http2: { ...http2, value: { ...http2.value, usual: true } } }),
    }
  }

  /** Undefined where there is no valid ticket, or nothing speaks against what came with it. */
  function contradictingCurves(visit: Enriched): 'unlike' | 'missing' | undefined {
    if (!visit.curves) return undefined
    if (visit.curves.length > 0) return curves.isUnlike(visit) ? 'unlike' : undefined
    return measures.isUsual(pageOf(visit)) === true ? 'missing' : undefined
  }

  function withCurves(visit: Enriched): Enriched {
    const found = contradictingCurves(visit)
    return found && visit.proof ? { ...visit, proof: { ...visit.proof, curves: found } } : visit
  }

  const withoutChannel = (visit: Enriched, network: NetworkEvidence): NetworkEvidence =>
    isUnopened(network) && channels.isUsual(pageOf(visit)) === true
      ? { ...network, ...NEVER_OPENED }
      : network

  return {
    scriptLoaded: scripts.add,
    describe(received) {
      const visit = withCurves(received)
      const network = withLearnedConnection(visit, !isScriptMissing(visit))
      // An announced channel may still be on its way.
      return { ...visit, network: visit.followUp ? network : withoutChannel(visit, network) }
    },
    withoutChannel,
    learnConnection(visit, isOwn) {
      const { client, address } = visit
      clients.learn(client, kindOf(visit.network.tls), address)
      clients.learn(client, http2KindOf(visit.network.http2), address)
      if (isOwn) curves.learn(visit)
      const network = siteNetworkOf(visit.address)
      if (network !== undefined && visit.curves)
        measures.learn(pageOf(visit), network, visit.curves.length > 0)
      const hasLoaded = scripts.has(connectionOf(visit))
      if (network !== undefined && hasLoaded !== undefined) loads.learn(pageOf(visit), network, hasLoaded)
    },
    learnChannel(visit, isOpened) {
      const network = siteNetworkOf(visit.address)
      if (network !== undefined) channels.learn(pageOf(visit), network, isOpened)
    },
  }
}
