import type { NewDelivery, NewIdentification, NewOutboxEntry, NewStickyVerdict } from '../store.ts'

/** Types of columns as a statement over arrays names them. */
export type ColumnType = 'bigint' | 'text' | 'bytea' | 'boolean' | 'double precision'
export type Columns<Row> = Readonly<Record<keyof Row & string, ColumnType>>

export const OUTBOX: Columns<NewOutboxEntry> = {
  domain_id: 'bigint',
  endpoint_id: 'bigint',
  request_id: 'bytea',
  event_id: 'bytea',
  body: 'bytea',
  attempts: 'bigint',
  due_at: 'bigint',
}

export const STICKY: Columns<NewStickyVerdict> = {
  domain_id: 'bigint',
  device_id: 'bytea',
  address: 'text',
  name: 'text',
  description: 'text',
  request_id: 'bytea',
  created_at: 'bigint',
}

export const DELIVERY: Columns<NewDelivery> = {
  domain_id: 'bigint',
  endpoint_id: 'bigint',
  request_id: 'bytea',
  event_id: 'bytea',
  event_type: 'text',
  attempt: 'bigint',
  sent_at: 'bigint',
  duration_ms: 'bigint',
  status: 'bigint',
  error: 'text',
  body: 'bytea',
}

export const IDENTIFICATION: Columns<NewIdentification> = {
  domain_id: 'bigint',
  request_id: 'bytea',
  session_id: 'bytea',
  cookie_id: 'bytea',
  device_id: 'bytea',
  visitor_id: 'bytea',
  user_hid: 'text',
  created_at: 'bigint',
  ver: 'bigint',
  host: 'text',
  ip: 'bigint',
  os: 'text',
  browser: 'text',
  device_type: 'text',
  country: 'text',
  connection_type: 'text',
  score: 'bigint',
  flags: 'bigint',
  verdict: 'text',
  web_rtc_ip: 'bigint',
  web_rtc_country: 'text',
  web_rtc_connection_type: 'text',
  scanner_web_rtc_ip: 'bigint',
  scanner_web_rtc_country: 'text',
  scanner_web_rtc_connection_type: 'text',
  webrtc_leak_ip: 'bigint',
  webrtc_leak_country: 'text',
  webrtc_leak_connection_type: 'text',
  webrtc_leak_source: 'text',
  tcp_mss: 'bigint',
  mtu_value: 'bigint',
  mtu_hint: 'text',
  stun_request_seen: 'bigint',
  is_scanner_stun_passed: 'bigint',
  stun_flow_status: 'text',
  entry_url: 'text',
  utm_source: 'text',
  utm_medium: 'text',
  utm_campaign: 'text',
  utm_content: 'text',
  utm_term: 'text',
  traffic_channel: 'text',
  traffic_channel_group: 'text',
  traffic_reason: 'text',
  referrer_domain: 'text',
  click_id_type: 'text',
}
