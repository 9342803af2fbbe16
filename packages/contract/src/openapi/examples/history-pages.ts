import type { HistoryPage, HistoryRow } from '../../history-row.ts'
import { NO_IPV4 } from '../../identifiers.ts'
import { RATE_LIMIT_DESCRIPTION, RATE_LIMIT_SCORE } from '../../signal-catalogue.ts'
import { NIL_UUID } from '../../uuid.ts'
import type { Examples } from '../content.ts'
import { ROW } from './identification.ts'

const { site_domain: _none, ...ofTheDomain } = ROW

/** What is written when an address goes over the ingest rate limit: no facts, no attribution. */
const MARKER: HistoryRow = {
  ...withoutAttribution(ofTheDomain),
  request_id: 'c9bf9e57-1685-4c89-bafb-ff5af830be8a',
  session_id: NIL_UUID,
  cookie_id: NIL_UUID,
  domain: 'example.com',
  user_hid: '-1',
  device_id: NIL_UUID,
  visitor_id: NIL_UUID,
  os: 'Unknown',
  browser: 'Unknown',
  device_type: 'desktop',
  country: '',
  connection_type: 'unknown',
  score: RATE_LIMIT_SCORE,
  score_details: JSON.stringify([{ Value: RATE_LIMIT_SCORE, Description: RATE_LIMIT_DESCRIPTION }]),
  ...nowhere('web_rtc'),
  ...nowhere('scanner_web_rtc'),
  ...nowhere('webrtc_leak'),
  webrtc_leak_source: '',
  tcp_mss: 0,
  mtu_value: 0,
  mtu_hint: '',
  is_proxy: false,
  is_datacenter: false,
  is_timezone_mismatch: false,
  stun_request_seen: false,
  is_scanner_stun_passed: false,
  stun_flow_status: '',
}

function withoutAttribution(row: HistoryRow): HistoryRow {
  const { entry_url, utm_source, traffic_channel, traffic_channel_group, traffic_reason, ...rest } = row
  const { referrer_domain, click_id_type, ...bare } = rest
  return bare
}

/** An address column with its country and candidate type, all unknown. */
function nowhere<Prefix extends string>(prefix: Prefix) {
  return {
    [`${prefix}_ip`]: NO_IPV4,
    [`${prefix}_country`]: '',
    [`${prefix}_connection_type`]: '',
  } as Record<`${Prefix}_ip` | `${Prefix}_country` | `${Prefix}_connection_type`, string>
}

export const HISTORY_PAGES: Examples = {
  found: { summary: 'An identification', value: { data: [ROW], total: 1 } satisfies HistoryPage },
  notScoredYet: {
    summary: 'Not scored yet: never a sign of a clean visit',
    value: { data: [], total: 0 } satisfies HistoryPage,
  },
  rateLimited: {
    summary: 'The marker of a rate-limited address',
    value: { data: [MARKER], total: 1 } satisfies HistoryPage,
  },
}
