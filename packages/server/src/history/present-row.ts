import { columnsOfFlags, type HistoryRow, presentRowTime } from '@inkling/contract'
import { ipv4ToText } from '../lib/address.ts'
import { bitsToFlags } from '../lib/flag-bits.ts'
import { uuidToText } from '../lib/uuid.ts'
import { comparedAddress, readScoreDetails } from '../store/identifications/identification-row.ts'
import type { IdentificationRow } from '../store/identifications/identifications.ts'
import { requestIdText } from '../store/identifications/lookup.ts'

/** Names each outgoing field in the order of the wire, so that a new column does not leave the server. */
export function presentRow(row: IdentificationRow, siteDomain: string): HistoryRow {
  const flags = bitsToFlags(row.flags)
  const seen = comparedAddress(row)
  return {
    request_id: requestIdText(row.request_id),
    session_id: uuidToText(row.session_id),
    cookie_id: uuidToText(row.cookie_id),
    domain: row.host,
    ...(row.host !== siteDomain && { site_domain: siteDomain }),
    user_hid: row.user_hid,
    device_id: uuidToText(row.device_id),
    visitor_id: uuidToText(row.visitor_id),
    ip: ipv4ToText(row.ip),
    os: row.os,
    browser: row.browser,
    device_type: row.device_type,
    country: row.country ?? '',
    connection_type: row.connection_type,
    score: row.score,
    score_details: scoreDetails(row),
    created_at: presentRowTime(row.created_at),
    ver: row.ver,
    web_rtc_ip: ipv4ToText(seen.web_rtc_ip),
    web_rtc_country: seen.web_rtc_country ?? '',
    web_rtc_connection_type: seen.web_rtc_connection_type ?? '',
    scanner_web_rtc_ip: ipv4ToText(row.scanner_web_rtc_ip),
    scanner_web_rtc_country: row.scanner_web_rtc_country ?? '',
    scanner_web_rtc_connection_type: row.scanner_web_rtc_connection_type ?? '',
    webrtc_leak_ip: ipv4ToText(row.webrtc_leak_ip),
    webrtc_leak_country: row.webrtc_leak_country ?? '',
    webrtc_leak_connection_type: row.webrtc_leak_connection_type ?? '',
    webrtc_leak_source: row.webrtc_leak_source ?? '',
    tcp_mss: row.tcp_mss ?? 0,
    mtu_value: row.mtu_value ?? 0,
    mtu_hint: row.mtu_hint ?? '',
    ...columnsOfFlags(flags),
    ...(flags.suspicious_paid_click && { is_suspicious_paid_click: true as const }),
    stun_request_seen: row.stun_request_seen === 1,
    is_scanner_stun_passed: row.is_scanner_stun_passed === 1,
    stun_flow_status: row.stun_flow_status ?? '',
    ...attribution(row),
  }
}

const ATTRIBUTION = [
  'entry_url',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_content',
  'utm_term',
  'traffic_channel',
  'traffic_channel_group',
  'traffic_reason',
  'referrer_domain',
  'click_id_type',
] as const

/** Omitted when empty. */
const attribution = (row: IdentificationRow): Partial<Pick<HistoryRow, (typeof ATTRIBUTION)[number]>> =>
  Object.fromEntries(ATTRIBUTION.flatMap((name) => (row[name] === null ? [] : [[name, row[name]]])))

/** JSON text inside a string; empty without entries. */
function scoreDetails(row: IdentificationRow): string {
  const details = readScoreDetails(row.verdict)
  return details.length === 0 ? '' : JSON.stringify(details)
}
