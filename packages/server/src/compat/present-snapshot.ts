import { type LegacySnapshot, NO_IPV4 } from '@inkling/contract'
import { ipv4ToText } from '../lib/address.ts'
import { uuidToText } from '../lib/uuid.ts'
import { comparedAddress, readScoreDetails } from '../store/identifications/identification-row.ts'
import type { IdentificationRow } from '../store/identifications/identifications.ts'
import { requestIdText } from '../store/identifications/lookup.ts'

/** The legacy snapshot (§2.7). Names each outgoing field, so that a new column does not leave the server. */
export function presentSnapshot(row: IdentificationRow): LegacySnapshot {
  const seen = comparedAddress(row)
  const checkedAddress = ipv4ToText(seen.web_rtc_ip)
  return {
    RequestID: requestIdText(row.request_id),
    SessionID: uuidToText(row.session_id),
    CookieID: uuidToText(row.cookie_id),
    DeviceID: uuidToText(row.device_id),
    VisitorID: uuidToText(row.visitor_id),
    IP: ipv4ToText(row.ip),
    OS: row.os,
    Browser: row.browser,
    DeviceType: row.device_type,
    Country: row.country ?? '',
    UserHID: row.user_hid,
    ConnectionType: row.connection_type,
    WebRtcConnectionType: seen.web_rtc_connection_type ?? '',
    WebRtcCountry: seen.web_rtc_country ?? '',
    // Empty, because clients would take 0.0.0.0 for an address that differs from IP.
    WebRtcHIP: checkedAddress === NO_IPV4 ? '' : checkedAddress,
    TcpMss: row.tcp_mss ?? 0,
    MtuValue: row.mtu_value ?? 0,
    MtuHint: row.mtu_hint ?? '',
    Score: row.score,
    Details: readScoreDetails(row.verdict),
    LastRequestTime: new Date(row.created_at).toISOString(),
  }
}
