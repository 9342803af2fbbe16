import type { Recorded, Scored } from '../identification.ts'
import { flagsToBits } from '../lib/flag-bits.ts'
import { ipv4ToNumber } from '../lib/ipv4-number.ts'
import { uuidBytesOrNil } from '../lib/uuid.ts'
import { requestIdColumn } from './identifications.ts'
import { storedVerdict } from './stored-verdict.ts'
import type { NewIdentification } from './write-operation.ts'

const orNull = (text: string): string | null => (text === '' ? null : text)

/** No network check has reported yet. */
export const NO_NETWORK_EVIDENCE = {
  web_rtc_ip: null,
  web_rtc_country: null,
  web_rtc_connection_type: null,
  scanner_web_rtc_ip: null,
  scanner_web_rtc_country: null,
  scanner_web_rtc_connection_type: null,
  webrtc_leak_ip: null,
  webrtc_leak_country: null,
  webrtc_leak_connection_type: null,
  webrtc_leak_source: null,
  tcp_mss: null,
  mtu_value: null,
  mtu_hint: null,
  stun_request_seen: null,
  is_scanner_stun_passed: null,
  stun_flow_status: null,
} as const

/** The first version of an identification as it is written. */
export function identificationRow(scored: Recorded): NewIdentification {
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
    ver: scored.atMs,
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
    ...NO_NETWORK_EVIDENCE,
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
  const { atMs, address, host, via, request, ip, body } = scored
  const context = JSON.stringify({ version: 1, at_ms: atMs, address, host, via, request, ip })
  // The body is JSON text already: parsing it again to nest it would cost more than all the rest.
  return `${context.slice(0, -1)},"body":${body}}`
}
