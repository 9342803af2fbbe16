import type { z } from 'zod'
import type { Explanation } from '../../explanation.ts'
import type { HistoryRow } from '../../history-row.ts'
import type { LegacySnapshot } from '../../legacy-snapshot.ts'
import type { OlderHistoryRow } from '../../older-history-row.ts'
import { SCHEMA_VERSION, type IdentificationScored } from '../../webhook-events.ts'

/** One identification in every form in which it crosses a wire: a visit through a proxy in a data center. */

export const REQUEST_ID = '0f8fad5b-d9cb-469f-a165-70867728950e'
const SESSION_ID = '1b4e28ba-2fa1-41d2-883f-0016d3cca427'
const COOKIE_ID = '6f1c2d3e-4b5a-4c6d-8e7f-90a1b2c3d4e5'
const DEVICE_ID = '7d3b1f52-8c4e-5a6b-9d0e-1f2a3b4c5d6e'
const VISITOR_ID = '9a7b6c5d-4e3f-5a1b-8c2d-3e4f5a6b7c8d'
const USER_HID = 'u-5d41402abc4b'

const DETAILS = [
  { Value: 10, Description: 'Is proxy' },
  { Value: 10, Description: 'Is datacenter' },
  { Value: 10, Description: 'Browser timezone ≠ IP-timezone' },
  { Value: 0, Description: 'IP ≠ leakIP (203.0.113.10 ≠ 198.51.100.7, source=service)' },
]

export const ROW: HistoryRow = {
  request_id: REQUEST_ID,
  session_id: SESSION_ID,
  cookie_id: COOKIE_ID,
  domain: 'shop.example.com',
  site_domain: 'example.com',
  user_hid: USER_HID,
  device_id: DEVICE_ID,
  visitor_id: VISITOR_ID,
  ip: '203.0.113.10',
  os: 'Windows',
  browser: 'Chrome',
  device_type: 'desktop',
  country: 'Germany',
  connection_type: 'proxy',
  score: 30,
  score_details: JSON.stringify(DETAILS),
  created_at: '2026-06-01 12:00:00.412',
  ver: 1780315200412,
  web_rtc_ip: '198.51.100.7',
  web_rtc_country: 'United States',
  web_rtc_connection_type: 'srflx',
  scanner_web_rtc_ip: '198.51.100.7',
  scanner_web_rtc_country: 'United States',
  scanner_web_rtc_connection_type: 'srflx',
  webrtc_leak_ip: '198.51.100.7',
  webrtc_leak_country: 'United States',
  webrtc_leak_connection_type: 'srflx',
  webrtc_leak_source: 'service',
  tcp_mss: 1460,
  mtu_value: 1500,
  mtu_hint: 'direct',
  is_vpn: false,
  is_tor: false,
  is_proxy: true,
  is_datacenter: true,
  is_abuser: false,
  is_privacy_relay: false,
  is_stun_not_checked: false,
  check_incomplete: false,
  is_antidetect: false,
  is_os_mismatch: false,
  is_os_not_detected: false,
  is_timezone_mismatch: true,
  is_js_disabled: false,
  is_browser_automation: false,
  is_incognito: false,
  is_search_bot: false,
  stun_request_seen: true,
  is_scanner_stun_passed: true,
  stun_flow_status: 'ok',
  entry_url: 'https://shop.example.com/sale?gclid=Cj0KCQ&utm_source=google',
  utm_source: 'google',
  traffic_channel: 'Google Ads',
  traffic_channel_group: 'Paid Search',
  traffic_reason: 'gclid_present',
  referrer_domain: 'google.com',
  click_id_type: 'gclid',
}

export const SCORED: IdentificationScored = {
  event_type: 'identification.scored',
  schema_version: SCHEMA_VERSION,
  created_at: '2026-06-01T12:00:00.731Z',
  data: {
    request_id: REQUEST_ID,
    visitor_id: VISITOR_ID,
    device_id: DEVICE_ID,
    session_id: SESSION_ID,
    cookie_id: COOKIE_ID,
    user_hid: USER_HID,
    domain: 'example.com',
    public_ip: { ip: '203.0.113.10', country: 'Germany' },
    local_ip: { ip: '198.51.100.7', country: 'United States' },
    connection_type: 'proxy',
    os: 'Windows',
    browser: 'Chrome',
    device_type: 'desktop',
    traffic_source: {
      channel: 'Google Ads',
      referrer_domain: 'google.com',
      landing_url: 'https://shop.example.com/sale?gclid=Cj0KCQ&utm_source=google',
      click_id_type: 'gclid',
      utm_source: 'google',
      utm_medium: '',
      utm_campaign: '',
      utm_content: '',
      utm_term: '',
    },
    risk_score: 30,
    signals: [
      { name: 'proxy', weight: 10 },
      { name: 'datacenter_ip', weight: 10 },
      { name: 'timezone_mismatch', weight: 10 },
    ],
    detection_flags: {
      vpn: false,
      privacy_relay: false,
      browser_vpn_proxy: false,
      tor: false,
      proxy: true,
      datacenter_ip: true,
      abuser: false,
      os_mismatch: false,
      os_not_detected: false,
      timezone_mismatch: true,
      anti_detect_browser: false,
      browser_automation: false,
      ip_mismatch: true,
      incognito: false,
      search_bot: false,
      suspicious_paid_click: false,
      javascript_disabled: false,
      stun_not_checked: false,
      check_incomplete: false,
    },
    observed_at: '2026-06-01T12:00:00.412Z',
  },
}

export const EXPLANATION: Explanation = {
  request_id: REQUEST_ID,
  score: 30,
  entries: [
    {
      name: 'proxy',
      title: 'Proxy',
      description: 'Is proxy',
      weight: 10,
      value: 10,
      evidence: { source: 'open proxy list' },
    },
    {
      name: 'datacenter_ip',
      title: 'Data-center address',
      description: 'Is datacenter',
      weight: 10,
      value: 10,
      evidence: { asn: 64500, organization: 'Example Hosting' },
    },
    {
      name: 'timezone_mismatch',
      title: 'Browser clock contradicts the address',
      description: 'Browser timezone ≠ IP-timezone',
      weight: 10,
      value: 10,
      evidence: { browser: 'America/New_York', country: 'Germany' },
    },
  ],
  clear: ['tor', 'os_mismatch', 'antidetect_browser', 'browser_automation'],
  unknown: ['abuser'],
  identity: {
    device_id: DEVICE_ID,
    visitor_id: VISITOR_ID,
    components: ['canvas', 'webgl', 'audio', 'fonts', 'screen'],
  },
}
