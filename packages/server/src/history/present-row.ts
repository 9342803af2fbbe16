import type { HistoryRow } from '@inkling/contract'
import { bitsToFlags } from '../lib/flag-bits.ts'
import { ipv4ToText } from '../lib/ipv4-number.ts'
import { uuidToText } from '../lib/uuid.ts'
import { readScoreDetails } from '../store/identifications/identification-row.ts'
import { type IdentificationRow, requestIdText } from '../store/identifications/identifications.ts'

/** Each outgoing field by name and in the order sent: a new column stays in. */
export function presentRow(row: IdentificationRow, siteDomain: string): HistoryRow {
  const flags = bitsToFlags(row.flags)
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
    created_at: presentTime(row.created_at),
    ver: row.ver,
    web_rtc_ip: ipv4ToText(row.web_rtc_ip),
    web_rtc_country: row.web_rtc_country ?? '',
    web_rtc_connection_type: row.web_rtc_connection_type ?? '',
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
    is_vpn: flags.vpn,
    is_tor: flags.tor,
    is_proxy: flags.proxy,
    is_datacenter: flags.datacenter_ip,
    is_abuser: flags.abuser,
    is_privacy_relay: flags.privacy_relay,
    is_stun_not_checked: flags.stun_not_checked,
    check_incomplete: flags.check_incomplete,
    is_antidetect: flags.anti_detect_browser,
    is_os_mismatch: flags.os_mismatch,
    is_os_not_detected: flags.os_not_detected,
    is_timezone_mismatch: flags.timezone_mismatch,
    is_js_disabled: flags.javascript_disabled,
    is_browser_automation: flags.browser_automation,
    is_incognito: flags.incognito,
    is_search_bot: flags.search_bot,
    stun_request_seen: row.stun_request_seen === 1,
    is_scanner_stun_passed: row.is_scanner_stun_passed === 1,
    stun_flow_status: row.stun_flow_status ?? '',
    ...(flags.suspicious_paid_click && { is_suspicious_paid_click: true as const }),
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

/** `YYYY-MM-DD HH:MM:SS.mmm` in UTC, without a zone designator. */
export const presentTime = (atMs: number): string =>
  new Date(atMs).toISOString().replace('T', ' ').slice(0, 23)
