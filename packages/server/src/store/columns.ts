import type { NewDelivery, NewIdentification, NewOutboxEntry, NewStickyVerdict } from './store.ts'

/** Records and not lists, so that a column added to a table cannot be forgotten here. */
const columnsOf = <Row extends object>(columns: Record<keyof Row, true>) =>
  Object.keys(columns) as (keyof Row)[]

export const OUTBOX_COLUMNS = columnsOf<NewOutboxEntry>({
  domain_id: true,
  endpoint_id: true,
  request_id: true,
  event_id: true,
  body: true,
  attempts: true,
  due_at: true,
})

export const STICKY_COLUMNS = columnsOf<NewStickyVerdict>({
  domain_id: true,
  device_id: true,
  address: true,
  name: true,
  description: true,
  request_id: true,
  created_at: true,
})

export const DELIVERY_COLUMNS = columnsOf<NewDelivery>({
  domain_id: true,
  endpoint_id: true,
  request_id: true,
  event_id: true,
  event_type: true,
  attempt: true,
  sent_at: true,
  duration_ms: true,
  status: true,
  error: true,
  body: true,
})

export const IDENTIFICATION_COLUMNS = columnsOf<NewIdentification>({
  domain_id: true,
  request_id: true,
  session_id: true,
  cookie_id: true,
  device_id: true,
  visitor_id: true,
  user_hid: true,
  created_at: true,
  ver: true,
  host: true,
  ip: true,
  os: true,
  browser: true,
  device_type: true,
  country: true,
  connection_type: true,
  score: true,
  flags: true,
  verdict: true,
  web_rtc_ip: true,
  web_rtc_country: true,
  web_rtc_connection_type: true,
  scanner_web_rtc_ip: true,
  scanner_web_rtc_country: true,
  scanner_web_rtc_connection_type: true,
  webrtc_leak_ip: true,
  webrtc_leak_country: true,
  webrtc_leak_connection_type: true,
  webrtc_leak_source: true,
  tcp_mss: true,
  mtu_value: true,
  mtu_hint: true,
  stun_request_seen: true,
  is_scanner_stun_passed: true,
  stun_flow_status: true,
  entry_url: true,
  utm_source: true,
  utm_medium: true,
  utm_campaign: true,
  utm_content: true,
  utm_term: true,
  traffic_channel: true,
  traffic_channel_group: true,
  traffic_reason: true,
  referrer_domain: true,
  click_id_type: true,
})

/** Who and when never change; what is known of the visit does. */
const FIXED: readonly (keyof NewIdentification)[] = [
  'domain_id',
  'request_id',
  'session_id',
  'cookie_id',
  'device_id',
  'visitor_id',
  'user_hid',
  'created_at',
]
export const REFINED_COLUMNS = IDENTIFICATION_COLUMNS.filter((name) => !FIXED.includes(name))
