import { growingCache } from '../../lib/growing-cache.ts'
import { hash53 } from '../../lib/hash53.ts'
import type { TurnSighting } from '../../visit/network-evidence.ts'
import type { BrowserReport, FollowUps, RoundTrips } from './follow-ups.ts'

/*
 * Behind a balancer the channel of a visit, the packets of its network check and its snapshot may arrive at different
 * nodes. The node with the snapshot works on the visit, so the others send it their evidence. They find each other at the
 * homes of the request ID: two nodes that all nodes choose alike, by the ID and the list of nodes.
 */

export type NodeMessage =
  /** To a home: the sender has evidence of the request. */
  | { type: 'have'; requestId: string }
  /** To a home: the sender has its snapshot. */
  | { type: 'want'; requestId: string }
  /** From a home: send it there. */
  | { type: 'send'; requestId: string; to: string }
  | { type: 'evidence'; requestId: string; evidence: NodeEvidence }

type NodeEvidence =
  | { kind: 'opened' }
  | { kind: 'closed' }
  | { kind: 'sighting'; sighting: TurnSighting }
  | { kind: 'round_trips'; roundTrips: RoundTrips | undefined }
  | { kind: 'report'; report: BrowserReport }

export interface SharedFollowUpOptions {
  /** Address of this node, as the others know it. */
  self: string
  /** Addresses of all nodes that run, this one included. */
  nodes(): readonly string[]
  send(to: string, message: NodeMessage): void
}

export interface SharedFollowUps extends FollowUps {
  /** Handles a message of another node. */
  receive(from: string, message: NodeMessage): void
}

/** One may end at any time, and a new one is not known to all others at once. */
const HOMES = 2

/** The nodes with the highest hash of their address and the key, which is the same for all who know the same nodes. */
export const homesOf = (key: string, nodes: readonly string[]): string[] =>
  nodes
    .map((node) => ({ node, rank: hash53(`${key} ${node}`) }))
    .sort((a, b) => b.rank - a.rank)
    .slice(0, HOMES)
    .map(({ node }) => node)

interface Home {
  have: Set<string>
  wanting: string | undefined
}

/** What this node has of a visit whose snapshot may be elsewhere. */
interface Holding {
  evidence: NodeEvidence[]
  to: string | undefined
}

/** As many as `createFollowUps` remembers without a snapshot, and as many as a busy node is asked about in a minute. */
const HOLDINGS_MAX = 10_000
const HOMES_MAX = 100_000
/** A few transports see a few addresses. */
const HAVE_MAX = 4

/** The same follow-ups with the evidence that arrives at other nodes. */
export function shareFollowUps(
  local: FollowUps,
  { self, nodes, send }: SharedFollowUpOptions,
): SharedFollowUps {
  const holdings = growingCache<string, Holding>(HOLDINGS_MAX)
  const homes = growingCache<string, Home>(HOMES_MAX)
  /** The node of a visit's channel, where that is another one. */
  const channels = growingCache<string, string>(HOLDINGS_MAX)

  function tell(to: string, message: NodeMessage): void {
    if (to === self) receive(self, message)
    else send(to, message)
  }

  function tellHomes(message: NodeMessage): void {
    for (const home of homesOf(message.requestId, nodes())) tell(home, message)
  }

  function add(requestId: string, evidence: NodeEvidence): void {
    const known = holdings.get(requestId)
    if (known?.to !== undefined) send(known.to, { type: 'evidence', requestId, evidence })
    else if (known) known.evidence.push(evidence)
    // Of a visit that is forgotten there is nothing else any more.
    else if (evidence.kind !== 'closed') {
      holdings.set(requestId, { evidence: [evidence], to: undefined })
      tellHomes({ type: 'have', requestId })
    }
  }

  function sendAll(requestId: string, to: string): void {
    const holding = holdings.get(requestId)
    if (!holding || holding.to !== undefined || to === self) return
    holding.to = to
    local.followedElsewhere(requestId)
    for (const evidence of holding.evidence.splice(0)) send(to, { type: 'evidence', requestId, evidence })
  }

  function take(from: string, requestId: string, evidence: NodeEvidence): void {
    if (!local.isSeen(requestId)) return
    if (evidence.kind === 'sighting') local.addSighting(requestId, evidence.sighting)
    if (evidence.kind === 'opened' && local.open(requestId)) channels.set(requestId, from)
    // A request has one channel, wherever it was opened first.
    if (channels.get(requestId) !== from) return
    if (evidence.kind === 'round_trips') local.addRoundTrips(requestId, evidence.roundTrips)
    if (evidence.kind === 'report') local.addReport(requestId, evidence.report)
    if (evidence.kind === 'closed') local.close(requestId)
  }

  /** Brings those who have evidence of a request together with the one who wants it. */
  function introduce(
    from: string,
    { type, requestId }: Extract<NodeMessage, { type: 'have' | 'want' }>,
  ): void {
    const home = homes.get(requestId) ?? { have: new Set(), wanting: undefined }
    homes.set(requestId, home)
    if (type === 'have' && home.have.size < HAVE_MAX) home.have.add(from)
    if (type === 'want') home.wanting ??= from
    const { wanting } = home
    if (wanting === undefined) return
    for (const holder of type === 'have' ? [from] : home.have)
      tell(holder, { type: 'send', requestId, to: wanting })
  }

  function receive(from: string, message: NodeMessage): void {
    if (message.type === 'evidence') take(from, message.requestId, message.evidence)
    else if (message.type === 'send') sendAll(message.requestId, message.to)
    else introduce(from, message)
  }

  return {
    ...local,
    receive,
    open(requestId, address) {
      if (!local.open(requestId, address)) return false
      add(requestId, { kind: 'opened' })
      return true
    },
    close(requestId) {
      local.close(requestId)
      add(requestId, { kind: 'closed' })
    },
    addSighting(requestId, sighting) {
      local.addSighting(requestId, sighting)
      add(requestId, { kind: 'sighting', sighting })
    },
    addRoundTrips(requestId, roundTrips) {
      local.addRoundTrips(requestId, roundTrips)
      add(requestId, { kind: 'round_trips', roundTrips })
    },
    addReport(requestId, report) {
      local.addReport(requestId, report)
      add(requestId, { kind: 'report', report })
    },
    settled(requestId, visit) {
      const settled = local.settled(requestId, visit)
      tellHomes({ type: 'want', requestId })
      return settled
    },
    sweep() {
      local.sweep()
      for (const requestId of [...holdings.keys()]) if (!local.has(requestId)) holdings.delete(requestId)
      for (const requestId of [...channels.keys()]) if (!local.has(requestId)) channels.delete(requestId)
    },
  }
}
