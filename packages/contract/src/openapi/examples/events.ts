import { SCHEMA_VERSION, type TestDelivery, type WebhookPing } from '../../webhook-events.ts'
import type { Examples } from '../content.ts'
import { SCORED } from './identification.ts'

/** The secret that the signatures of the examples are made with. */
export const EXAMPLE_SECRET = 'whsec_00112233445566778899aabbccddeeff'
export const PING_SIGNATURE = 'sha256=ea2685733d254f7028fb031c4214583b0650de01e6c8c93131236024edd9fdd8'
export const SCORED_SIGNATURE = 'sha256=4940e6985a9186cb1c31860adac5d6b7c3760ebd10a626e8f4f81e11be6fd302'

const PING: WebhookPing = {
  created_at: '2026-09-30T12:34:56Z',
  event_type: 'webhook.ping',
  schema_version: SCHEMA_VERSION,
}

const SAMPLE: TestDelivery = {
  created_at: '2026-06-01T12:00:01Z',
  data: {
    browser: 'Chrome',
    connection_type: 'proxy',
    cookie_id: '6f1c2d3e-4b5a-4c6d-8e7f-90a1b2c3d4e5',
    detection_flags: {
      abuser: true,
      anti_detect_browser: false,
      browser_vpn_proxy: false,
      check_incomplete: false,
      datacenter_ip: true,
      incognito: false,
      ip_mismatch: false,
      javascript_disabled: false,
      os_mismatch: false,
      os_not_detected: false,
      privacy_relay: false,
      proxy: true,
      stun_not_checked: false,
      suspicious_paid_click: false,
      timezone_mismatch: false,
      tor: false,
      vpn: false,
    },
    device_id: '7d3b1f52-8c4e-5a6b-9d0e-1f2a3b4c5d6e',
    device_type: 'desktop',
    domain: 'example.com',
    local_ip: { country: 'US', ip: '198.51.100.7' },
    observed_at: '2026-06-01T12:00:00Z',
    os: 'Windows',
    public_ip: { country: 'DE', ip: '203.0.113.10' },
    request_id: '0f8fad5b-d9cb-469f-a165-70867728950e',
    risk_score: 30,
    session_id: '1b4e28ba-2fa1-41d2-883f-0016d3cca427',
    signals: [
      { name: 'proxy', weight: 10 },
      { name: 'datacenter_ip', weight: 10 },
      { name: 'abuser', weight: 10 },
    ],
    traffic_source: {
      channel: 'Google Ads',
      click_id_type: 'gclid',
      landing_url: 'https://example.com/?gclid=test&utm_source=google',
      referrer_domain: 'google.com',
      utm_campaign: '',
      utm_content: '',
      utm_medium: '',
      utm_source: 'google',
      utm_term: '',
    },
    user_hid: null,
    visitor_id: '9a7b6c5d-4e3f-5a1b-8c2d-3e4f5a6b7c8d',
  },
  event_type: 'identification.scored',
  schema_version: SCHEMA_VERSION,
}

export const SCORED_EVENTS: Examples = {
  scored: { summary: 'A scored identification', value: SCORED },
  testDelivery: { summary: 'The Test button', value: SAMPLE },
}

export const PINGS: Examples = { ping: { summary: 'A ping', value: PING } }
