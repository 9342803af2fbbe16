import type { DomainProfile } from '../../domain-profile.ts'
import type { ScoreDetail } from '../../history-row.ts'
import type { LegacySnapshot } from '../../legacy-snapshot.ts'
import type { OlderHistoryPage, OlderHistoryRow } from '../../older-history-row.ts'
import type { Examples } from '../content.ts'
import { ROW } from './identification.ts'

const DETAILS = JSON.parse(ROW.score_details) as ScoreDetail[]

const PROFILE: DomainProfile = {
  Domain: 'example.com',
  Weight: 98_231,
  Callback: 'https://api.example.com/hooks/identification',
  PublicKey: '****************************9f3c',
  Secret: '****************************41ab',
  CreatedAt: '2026-01-15T09:30:00Z',
}

const SNAPSHOT: LegacySnapshot = {
  RequestID: ROW.request_id,
  SessionID: ROW.session_id,
  CookieID: ROW.cookie_id,
  DeviceID: ROW.device_id,
  VisitorID: ROW.visitor_id,
  IP: ROW.ip,
  OS: ROW.os,
  Browser: ROW.browser,
  DeviceType: ROW.device_type,
  Country: ROW.country,
  UserHID: ROW.user_hid,
  ConnectionType: ROW.connection_type,
  WebRtcConnectionType: ROW.web_rtc_connection_type,
  WebRtcCountry: ROW.web_rtc_country,
  WebRtcHIP: ROW.web_rtc_ip,
  TcpMss: ROW.tcp_mss,
  MtuValue: ROW.mtu_value,
  MtuHint: ROW.mtu_hint,
  Score: ROW.score,
  Details: DETAILS,
  LastRequestTime: '2026-06-01T12:00:00.412Z',
}

const OLDER_ROW: OlderHistoryRow = {
  request_id: ROW.request_id,
  device_id: ROW.device_id,
  visitor_id: ROW.visitor_id,
  user_hid: ROW.user_hid,
  ip: ROW.ip,
  os: ROW.os,
  country: ROW.country,
  score: ROW.score,
  details: DETAILS,
  created_at: ROW.created_at,
}

export const PROFILES: Examples = {
  profile: { summary: 'A domain with a webhook URL', value: PROFILE },
  overVolume: {
    summary: 'Over the included volume, without a webhook URL',
    value: { ...PROFILE, Weight: -412, Callback: '' } satisfies DomainProfile,
  },
}

export const SNAPSHOTS: Examples = {
  found: { summary: 'One identification', value: [SNAPSHOT] },
  nothing: { summary: 'Nothing matched', value: [] },
}

/** Where nothing found is an error of its own. */
export const FOUND_SNAPSHOTS: Examples = { found: { summary: 'One identification', value: [SNAPSHOT] } }

export const OLDER_PAGES: Examples = {
  found: {
    summary: 'One identification',
    value: { total: 1, data: [OLDER_ROW] } satisfies OlderHistoryPage,
  },
  nothing: { summary: 'Nothing matched', value: { total: 0, data: [] } satisfies OlderHistoryPage },
}

export const OLDER_ROWS: Examples = { found: { summary: 'The identification', value: OLDER_ROW } }
