import { type Explanation, presentTime, signalTitle } from '@inkling/contract'
import { uuidToText } from '../lib/uuid.ts'
import { UNAVAILABLE } from '../store/cold/stored-bodies.ts'
import { readVerdict } from '../store/identifications/identification-row.ts'
import type { IdentificationRow } from '../store/identifications/identifications.ts'
import { requestIdText } from '../store/identifications/lookup.ts'
import type { EdgeJoin } from '../visit/edge-join.ts'
import type { IdentityDecision } from '../visit/identification.ts'
import type { NetworkEvidence } from '../visit/network-evidence.ts'
import { presentAgent } from './present-agent.ts'
import { presentVelocity } from './present-velocity.ts'

/** The JSON of a snapshot, if one is stored and can be read. */
export type ReadSnapshot = string | undefined | typeof UNAVAILABLE

/** Why an identification was scored as it was. */
export function presentExplanation(row: IdentificationRow, snapshot: ReadSnapshot): Explanation {
  const { entries, clear, unknown, components, decision, coverage, account, agent, edge, lists } =
    readVerdict(row.verdict)
  const velocity = presentVelocity(row)
  return {
    request_id: requestIdText(row.request_id),
    score: row.score,
    entries: entries.map((entry) => ({
      name: entry.name,
      title: signalTitle(entry.name),
      description: entry.description,
      weight: entry.weight,
      value: entry.value,
      ...(entry.suppressedBy !== undefined && { suppressed_by: entry.suppressedBy }),
      evidence: entry.evidence,
    })),
    clear,
    unknown,
    ...(coverage && { evidence: coverage.evidence, evidence_sources: coverage.sources }),
    ...(account && { account }),
    ...(agent && { agent: presentAgent(agent) }),
    ...(edge && { edge: presentEdge(edge) }),
    ...(lists && { lists: lists.map(({ list, kind, value, reason }) => ({ list, kind, value, reason })) }),
    ...(velocity && { velocity }),
    ...presentNetwork(snapshot),
    identity: {
      device_id: uuidToText(row.device_id),
      visitor_id: uuidToText(row.visitor_id),
      components,
      ...(decision && { decision: presentDecision(decision) }),
    },
  }
}

/** What the server observed of the connection. */
function presentNetwork(snapshot: ReadSnapshot): Pick<Explanation, 'network' | 'unavailable'> {
  if (snapshot === UNAVAILABLE) return { unavailable: ['network'] }
  if (snapshot === undefined) return {}
  const { network } = JSON.parse(snapshot) as { network?: NetworkEvidence }
  return network ? { network: { ...network } } : {}
}

function presentDecision({
  hardwareFlips,
  isOtherFamily: _family,
  isOtherVersion: _version,
  isByLook: _look,
  merged,
  separatedFrom,
  keyHistory,
  ...decision
}: IdentityDecision) {
  return {
    ...decision,
    hardware_flips: hardwareFlips,
    ...(merged !== undefined && { merged }),
    ...(separatedFrom !== undefined && { separated_from: separatedFrom }),
    ...(keyHistory !== undefined && { key_history: keyHistory }),
  }
}

function presentEdge(edge: EdgeJoin): NonNullable<Explanation['edge']> {
  if (edge.state === 'refused') return { state: edge.state, reason: edge.why }
  const { assessmentId, atMs, sameAddress, score, action, rule, agent, tls, http2, headers } = edge
  return {
    state: edge.state,
    assessment_id: assessmentId,
    assessed_at: presentTime(atMs),
    same_address: sameAddress,
    score,
    action,
    rule,
    ...(agent && { agent: presentAgent(agent) }),
    network: { tls, http2, headers },
  }
}
