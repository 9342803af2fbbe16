import type { ScoreDetail } from '@inkling/contract'
import { flagsToBits } from '../../lib/flag-bits.ts'
import { ipv4ToNumber } from '../../lib/ipv4-number.ts'
import { uuidBytesOrNil } from '../../lib/uuid.ts'
import type { IdentityDecision, Recorded, Scored, ScoreEntry } from '../../visit/identification.ts'
import type { NewIdentification } from '../store.ts'
import { requestIdColumn } from './identifications.ts'

const orNull = (text: string): string | null => (text === '' ? null : text)

/** Kind of ICE candidate that an address seen from outside is. */
const REFLEXIVE = 'srflx'

/** Columns of the network check; IPv6 addresses, which they cannot hold, stand in the verdict's evidence. */
function networkColumns({ check, stack }: Recorded) {
  const { service, leak } = check
  const ipv4 = (address: string | undefined): number | null =>
    address === undefined ? null : (ipv4ToNumber(address) ?? null)
  const checked = check.requestSeen || check.browserPassed
  return {
    web_rtc_ip: ipv4(service?.address),
    web_rtc_country: orNull(service?.country ?? ''),
    web_rtc_connection_type: service ? REFLEXIVE : null,
    // The browser's own word is not asked for: it could only be believed where the server saw the same.
    scanner_web_rtc_ip: null,
    scanner_web_rtc_country: null,
    scanner_web_rtc_connection_type: null,
    webrtc_leak_ip: ipv4(leak?.address),
    webrtc_leak_country: orNull(leak?.country ?? ''),
    webrtc_leak_connection_type: leak ? REFLEXIVE : null,
    webrtc_leak_source: leak ? 'service' : checked ? 'none' : null,
    tcp_mss: stack.mss ?? null,
    mtu_value: stack.mtu ?? null,
    mtu_hint: orNull(stack.mtuHint),
    stun_request_seen: check.requestSeen ? 1 : null,
    is_scanner_stun_passed: check.browserPassed ? 1 : null,
    stun_flow_status: orNull(check.flowStatus),
  }
}

/**
 * A version of an identification as it is written.
 * @param ver Unix milliseconds; the time of the visit for the first version
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
  }
}

/** What came in and what was known of the address then, so that the visit can be scored again later. */
export function snapshotOf(scored: Scored): string {
  const { atMs, address, host, via, request, network, ip, crawler, sticky, late, body } = scored
  const context = JSON.stringify({
    version: 1,
    at_ms: atMs,
    address,
    host,
    via,
    request,
    network,
    ip,
    crawler,
    sticky,
  })
  // Bodies are JSON text already: parsing them again to nest them would cost more than all the rest.
  const readings = late === undefined ? '' : `,"late":${late}`
  return `${context.slice(0, -1)}${readings},"body":${body}}`
}

/** The part of a verdict that has no column of its own, kept as JSON. */
export interface StoredVerdict {
  entries: ScoreEntry[]
  clear: string[]
  unknown: string[]
  components: string[]
  /** How the device was found; missing where there was nothing to decide. */
  decision?: IdentityDecision | undefined
  /** Which weights it was scored with; missing for those of the release. */
  rules?: number | 'file' | undefined
}

export const storedVerdict = ({ verdict, identity }: Recorded): string =>
  JSON.stringify({
    entries: verdict.entries,
    clear: verdict.clear,
    unknown: verdict.unknown,
    components: identity.components,
    decision: identity.decision,
    rules: verdict.rules,
  } satisfies StoredVerdict)

export const readVerdict = (json: string): StoredVerdict => JSON.parse(json) as StoredVerdict

/** The score's entries as the wire names them: scored ones first, then informational ones. */
export const readScoreDetails = (json: string): ScoreDetail[] =>
  readVerdict(json).entries.map(({ value, description }) => ({ Value: value, Description: description }))
