import type { ScoreDetail } from '@inkling/contract'
import { ipv4ToNumber, ipv6ToBytes } from '../../lib/address.ts'
import { flagsToBits } from '../../lib/flag-bits.ts'
import { uuidBytesOrNil } from '../../lib/uuid.ts'
import type { AgentIdentity } from '../../visit/agent-identity.ts'
import type { EdgeJoin } from '../../visit/edge-join.ts'
import type { Coverage, IdentityDecision, Recorded, ScoreEntry } from '../../visit/identification.ts'
import type { ListMatch } from '../../visit/list-match.ts'
import { isUnproven, type Proof, type TicketProof } from '../../visit/proof.ts'
import type { AccountProof } from '../../visit/received.ts'
import type { NewIdentification } from '../store.ts'
import { requestIdColumn } from './lookup.ts'
import { knownNames, longNames, shortNames } from './short-names.ts'

/**
 * The row of an identification.
 * @param ver version in Unix milliseconds; the first version has the time of the visit
 */
export function identificationRow(scored: Recorded, ver = scored.atMs): NewIdentification {
  const { identity, client, traffic, verdict } = scored
  return {
    domain_id: scored.domain.id,
    request_id: requestIdColumn(scored.requestId),
    session_id: uuidBytesOrNil(scored.sessionId),
    cookie_id: uuidBytesOrNil(scored.cookieId),
    device_id: uuidBytesOrNil(identity.deviceId),
    visitor_id: uuidBytesOrNil(identity.visitorId),
    user_hid: scored.userHid,
    created_at: scored.atMs,
    ver,
    host: scored.host,
    ip: ipv4ToNumber(scored.address) ?? null,
    ip6: ipv6ToBytes(scored.address) ?? null,
    os: client.os,
    browser: client.browser,
    device_type: client.deviceType,
    country: orNull(scored.ip.country),
    connection_type: verdict.connectionType,
    score: verdict.score,
    flags: flagsToBits(verdict.flags),
    verdict: storedVerdict(scored),
    ...networkColumns(scored),
    entry_url: orNull(traffic.landingUrl),
    utm_source: orNull(traffic.utmSource),
    utm_medium: orNull(traffic.utmMedium),
    utm_campaign: orNull(traffic.utmCampaign),
    utm_content: orNull(traffic.utmContent),
    utm_term: orNull(traffic.utmTerm),
    traffic_channel: orNull(traffic.channel),
    traffic_channel_group: orNull(traffic.channelGroup),
    traffic_reason: orNull(traffic.reason),
    referrer_domain: orNull(traffic.referrerDomain),
    click_id_type: orNull(traffic.clickIdType),
    ...agentColumns(scored.agent),
    // Known when it is written.
    velocity: null,
    bytes: null,
  }
}

/** Signed requests name their host, which is no longer than this. */
const AGENT_LENGTH_MAX = 253

const agentColumns = (agent: AgentIdentity | undefined) => ({
  agent_identity: agent?.standing ?? null,
  agent_category: agent?.category ?? null,
  agent: agent?.name.slice(0, AGENT_LENGTH_MAX) ?? null,
})

const orNull = (text: string): string | null => (text === '' ? null : text)

/** ICE candidate type of an address that a STUN server observed (RFC 8445, section 4). */
const REFLEXIVE = 'srflx'

/** Columns of the network check. They hold IPv4 addresses only; the verdict's evidence has the others. */
function networkColumns({ check, stack }: Recorded) {
  const { service, leak } = check
  const ipv4 = (address: string | undefined): number | null =>
    address === undefined ? null : (ipv4ToNumber(address) ?? null)
  const isChecked = check.requestSeen || check.browserPassed
  return {
    web_rtc_ip: ipv4(service?.address),
    web_rtc_country: orNull(service?.country ?? ''),
    web_rtc_connection_type: service ? REFLEXIVE : null,
    // What the browser reports is not stored: it is credible only where the server observed the same.
    scanner_web_rtc_ip: null,
    scanner_web_rtc_country: null,
    scanner_web_rtc_connection_type: null,
    webrtc_leak_ip: ipv4(leak?.address),
    webrtc_leak_country: orNull(leak?.country ?? ''),
    webrtc_leak_connection_type: leak ? REFLEXIVE : null,
    webrtc_leak_source: leak ? 'service' : isChecked ? 'none' : null,
    tcp_mss: stack.mss ?? null,
    mtu_value: stack.mtu ?? null,
    mtu_hint: orNull(stack.mtuHint),
    stun_request_seen: check.requestSeen ? 1 : null,
    is_scanner_stun_passed: check.browserPassed ? 1 : null,
    stun_flow_status: orNull(check.flowStatus),
  }
}

/**
 * The columns of the address that the network check saw, as clients may compare it with the row's own; all null where
 * the two cannot be compared, such as a private address with a public one. Clients take any difference for a mismatch.
 */
export const comparedAddress = (row: AddressColumns): Omit<AddressColumns, 'ip' | 'webrtc_leak_ip'> =>
  row.web_rtc_ip === row.ip || row.webrtc_leak_ip !== null
    ? row
    : { web_rtc_ip: null, web_rtc_country: null, web_rtc_connection_type: null }

type AddressColumns = Pick<
  NewIdentification,
  'ip' | 'web_rtc_ip' | 'web_rtc_country' | 'web_rtc_connection_type' | 'webrtc_leak_ip'
>

/** What the column `verdict` holds: what has no column of its own. */
interface StoredVerdict {
  entries: ScoreEntry[]
  clear: string[]
  unknown: string[]
  components: string[]
  /** How the device was identified; missing without components. */
  decision?: IdentityDecision | undefined
  /** Missing where nothing was judged, and in rows of earlier releases. */
  coverage?: Coverage | undefined
  /** What vouches for the account; missing where nothing was asked for. */
  account?: AccountProof | undefined
  /** What the body's ticket was; missing without an agent. */
  ticket?: StoredTicket | undefined
  /** The program that the request declares; missing for all others. */
  agent?: AgentIdentity | undefined
  /** Of the address; missing where no source has it, and in rows of earlier releases. */
  asn?: number | undefined
  /** The assessment of the page's own request; missing where the page has no key for that. */
  edge?: EdgeJoin | undefined
  /** The entries of the domain's lists that it matched; missing where it matched none. */
  lists?: readonly ListMatch[] | undefined
  /** Version of the domain's own weights; missing for the weights of the release. */
  rules?: number | 'file' | undefined
}

interface StoredTicket {
  state: TicketProof['state']
  /** Whether the page was left before the body was complete. */
  interrupted?: true
  /** Whether the body came without what agents end it with. */
  unproven?: true
  /** The request ID that used the ticket or the body first. */
  first?: string
}

const storedTicket = (proof: Proof): StoredTicket => ({
  state: proof.ticket.state,
  ...(proof.interrupted && { interrupted: true }),
  ...(isUnproven(proof) && { unproven: true }),
  ...(proof.ticket.firstRequestId !== undefined && { first: proof.ticket.firstRequestId }),
})

/** Entries stay as they are, because SQL reads them. */
const storedVerdict = ({ verdict, identity, account, proof, agent, edge, ip, lists }: Recorded): string =>
  JSON.stringify({
    entries: verdict.entries,
    clear: shortNames(verdict.clear),
    unknown: shortNames(verdict.unknown),
    components: shortNames(identity.components),
    decision: identity.decision && {
      ...identity.decision,
      agreed: shortNames(identity.decision.agreed),
      changed: shortNames(identity.decision.changed),
      absent: shortNames(identity.decision.absent),
    },
    coverage: verdict.coverage && {
      evidence: verdict.coverage.evidence,
      names: shortNames(verdict.coverage.sources.map(({ name }) => name)),
      sources: verdict.coverage.sources.map(({ weight, known }) => [weight, known] as const),
    },
    account,
    ticket: proof && storedTicket(proof),
    agent,
    asn: ip.asn,
    edge,
    lists: lists?.length ? lists : undefined,
    rules: verdict.rules,
  } satisfies PackedVerdict)

type PackedNames<Holder, Names extends keyof Holder> = Omit<Holder, Names> & {
  [Name in Names]: string | readonly string[]
}

/** How the column holds it. Earlier releases had lists of names only, and a coverage as it is read. */
interface PackedVerdict
  extends Omit<PackedNames<StoredVerdict, 'clear' | 'unknown' | 'components'>, 'decision' | 'coverage'> {
  decision?: PackedNames<IdentityDecision, 'agreed' | 'changed' | 'absent'> | undefined
  coverage?: Coverage | PackedCoverage | undefined
}

interface PackedCoverage {
  evidence: number
  names: string | readonly string[]
  /** Weight and how much is known, in the order of the names. */
  sources: (readonly [number, number])[]
}

/** Reads rows of every release; what a later one named is left out. */
export function readVerdict(json: string): StoredVerdict {
  const stored = JSON.parse(json) as PackedVerdict
  return {
    ...stored,
    clear: knownNames(stored.clear),
    unknown: knownNames(stored.unknown),
    components: knownNames(stored.components),
    decision: stored.decision && {
      ...stored.decision,
      agreed: knownNames(stored.decision.agreed),
      changed: knownNames(stored.decision.changed),
      absent: knownNames(stored.decision.absent),
    },
    coverage: stored.coverage && readCoverage(stored.coverage),
  }
}

function readCoverage(stored: Coverage | PackedCoverage): Coverage {
  if (!('names' in stored)) return stored
  const names = longNames(stored.names)
  const sources = stored.sources.flatMap(([weight, known], index) => {
    const name = names[index]
    return name === undefined ? [] : [{ name, weight, known }]
  })
  return { evidence: stored.evidence, sources }
}

/** Entries in the form of the API: those with points first, then informational ones. */
export const readScoreDetails = (json: string): ScoreDetail[] =>
  readVerdict(json).entries.map(({ value, description }) => ({ Value: value, Description: description }))
