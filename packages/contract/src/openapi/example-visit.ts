import type { z } from 'zod'
import type { Assessment, AssessRequest } from '../assess.ts'
import type { DecideAnswer } from '../decide.ts'
import type { Explanation } from '../explanation.ts'
import type { HistoryRow } from '../history-row.ts'
import type { VelocityCounts } from '../velocity.ts'
import { type IdentificationScored, SCHEMA_VERSION } from '../webhook-events.ts'

/** One visit to an invented shop, by way of a hosting company, as each answer shows it. */

export const REQUEST_ID = '53f7b985-86e7-417b-98ce-530b35d0705e'
const SESSION_ID = '1234f400-fcb7-405c-9cd9-90aea8abf6a7'
const COOKIE_ID = '176aa541-6f29-4466-be6e-f6451c66d331'
const DEVICE_ID = 'eb19a5c0-4ae9-570c-8991-44d12998105e'
const VISITOR_ID = 'b3b0c1e9-2479-5164-b98e-ea4667ff1a82'
const USER_HID = 'crm-7719'
const ADDRESS = '192.0.2.44'
const LEAKED_ADDRESS = '198.51.100.23'
const LANDING_URL = 'https://order.brewline.example/beans?msclkid=8f2b41&utm_source=bing&utm_campaign=autumn'

const DETAILS = [
  { Value: 10, Description: 'Is datacenter' },
  { Value: 10, Description: 'Is abuser' },
  { Value: 10, Description: 'Browser timezone ≠ IP-timezone' },
  { Value: 0, Description: `IP ≠ leakIP (${ADDRESS} ≠ ${LEAKED_ADDRESS}, source=service)` },
]

export const ROW: HistoryRow = {
  request_id: REQUEST_ID,
  session_id: SESSION_ID,
  cookie_id: COOKIE_ID,
  domain: 'order.brewline.example',
  site_domain: 'brewline.example',
  user_hid: USER_HID,
  device_id: DEVICE_ID,
  visitor_id: VISITOR_ID,
  ip: ADDRESS,
  os: 'Linux',
  browser: 'Firefox',
  device_type: 'desktop',
  country: 'Netherlands',
  connection_type: 'proxy',
  score: 30,
  score_details: JSON.stringify(DETAILS),
  created_at: '2026-10-08 14:21:37.205',
  ver: 1791469297205,
  web_rtc_ip: LEAKED_ADDRESS,
  web_rtc_country: 'Brazil',
  web_rtc_connection_type: 'srflx',
  scanner_web_rtc_ip: LEAKED_ADDRESS,
  scanner_web_rtc_country: 'Brazil',
  scanner_web_rtc_connection_type: 'srflx',
  webrtc_leak_ip: LEAKED_ADDRESS,
  webrtc_leak_country: 'Brazil',
  webrtc_leak_connection_type: 'srflx',
  webrtc_leak_source: 'service',
  tcp_mss: 1460,
  mtu_value: 1500,
  mtu_hint: 'direct',
  is_vpn: false,
  is_tor: false,
  is_proxy: false,
  is_datacenter: true,
  is_abuser: true,
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
  entry_url: LANDING_URL,
  utm_source: 'bing',
  utm_campaign: 'autumn',
  traffic_channel: 'Microsoft Ads',
  traffic_channel_group: 'Paid Search',
  traffic_reason: 'msclkid_present',
  referrer_domain: 'bing.com',
  click_id_type: 'msclkid',
}

export const SCORED: IdentificationScored = {
  event_type: 'identification.scored',
  schema_version: SCHEMA_VERSION,
  created_at: '2026-10-08T14:21:37.618Z',
  data: {
    request_id: REQUEST_ID,
    visitor_id: VISITOR_ID,
    device_id: DEVICE_ID,
    session_id: SESSION_ID,
    cookie_id: COOKIE_ID,
    user_hid: USER_HID,
    domain: 'brewline.example',
    public_ip: { ip: ADDRESS, country: 'Netherlands' },
    local_ip: { ip: LEAKED_ADDRESS, country: 'Brazil' },
    connection_type: 'proxy',
    os: 'Linux',
    browser: 'Firefox',
    device_type: 'desktop',
    traffic_source: {
      channel: 'Microsoft Ads',
      referrer_domain: 'bing.com',
      landing_url: LANDING_URL,
      click_id_type: 'msclkid',
      utm_source: 'bing',
      utm_medium: '',
      utm_campaign: 'autumn',
      utm_content: '',
      utm_term: '',
    },
    risk_score: 30,
    signals: [
      { name: 'datacenter_ip', weight: 10 },
      { name: 'abuser', weight: 10 },
      { name: 'timezone_mismatch', weight: 10 },
    ],
    detection_flags: {
      vpn: false,
      privacy_relay: false,
      browser_vpn_proxy: false,
      tor: false,
      proxy: false,
      datacenter_ip: true,
      abuser: true,
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
    observed_at: '2026-10-08T14:21:37.205Z',
  },
}

const once = { m5: 1, h1: 1, h24: 1, d7: 1 }

/** Of a device that was here three times in a week, with two accounts. */
export const VELOCITY: VelocityCounts = {
  visits: { m5: 1, h1: 1, h24: 2, d7: 3 },
  devices: once,
  accounts: { m5: 1, h1: 1, h24: 1, d7: 2 },
  addresses: once,
  countries: once,
  cookies: once,
}

export const EXPLANATION: Explanation = {
  request_id: REQUEST_ID,
  score: 30,
  entries: [
    {
      name: 'datacenter_ip',
      title: 'Data-center address',
      description: 'Is datacenter',
      weight: 10,
      value: 10,
      evidence: { asn: 64511, organization: 'Polder Hosting' },
    },
    {
      name: 'abuser',
      title: 'Address with a bad reputation',
      description: 'Is abuser',
      weight: 10,
      value: 10,
      evidence: { address: ADDRESS },
    },
    {
      name: 'timezone_mismatch',
      title: 'Browser time zone contradicts the address',
      description: 'Browser timezone ≠ IP-timezone',
      weight: 10,
      value: 10,
      evidence: {
        browser_zone: 'America/Sao_Paulo',
        browser_offset_minutes: -180,
        address_country: 'Netherlands',
        gap_minutes: 300,
      },
    },
  ],
  clear: ['tor', 'os_mismatch', 'antidetect_browser', 'browser_automation'],
  unknown: ['privacy_relay'],
  evidence: 0.65,
  evidence_sources: [
    { name: 'ticket', weight: 20, known: 1 },
    { name: 'device_key', weight: 15, known: 1 },
    { name: 'tls', weight: 15, known: 0 },
    { name: 'readings', weight: 15, known: 1 },
    { name: 'network_check', weight: 10, known: 1 },
    { name: 'first_packet', weight: 10, known: 0 },
    { name: 'headers', weight: 5, known: 1 },
    { name: 'round_trips', weight: 5, known: 0 },
    { name: 'late_readings', weight: 5, known: 0 },
  ],
  velocity: { device: VELOCITY },
  identity: {
    device_id: DEVICE_ID,
    visitor_id: VISITOR_ID,
    components: ['webgl', 'screen', 'raster', 'waveform', 'typefaces'],
  },
}

/** A signed request of an agent, as an edge reports it. */
export const EDGE_REQUEST: z.input<typeof AssessRequest> = {
  method: 'GET',
  url: 'https://brewline.example/beans?origin=kenya',
  address: ADDRESS,
  http_version: '1.1',
  headers: [
    ['Host', 'brewline.example'],
    ['User-Agent', 'Brew Buyer/2.1'],
    ['Signature-Agent', '"https://agent.example"'],
    [
      'Signature-Input',
      'sig1=("@authority" "@path" "signature-agent");created=1790000000;expires=1790000300;keyid="kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k";tag="web-bot-auth"',
    ],
    [
      'Signature',
      'sig1=:RdNFx5Bj6au3YgAMQL/RzmUlZE8QZLIaXGRpw985hWnwPfMxT228NMk6ehRS1PSl4e8PhbNZACSanGdhEwYCCg==:',
    ],
  ],
}

export const ASSESSMENT: Assessment = {
  assessment_id: '8f1c2d3e-4b5a-4697-8877-665544332211',
  join_key: 'wq3f9SbJ1mXg7dTc0nVhAePzKkUo5LQyRr2iB8sZtM4',
  agent: {
    identity: 'verified',
    id: 'brew_buyer',
    name: 'Brew Buyer',
    operator: 'Brewline',
    category: 'shopping',
    claims: [{ by: 'signature', value: 'https://agent.example' }],
    proof: 'signature',
    signature: {
      state: 'valid',
      directory: 'https://agent.example',
      key_id: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
      tag: 'web-bot-auth',
      components: ['@authority', '@path', 'signature-agent'],
      created_at: '2026-09-21T14:13:20.000Z',
      expires_at: '2026-09-21T14:18:20.000Z',
    },
  },
  action: 'allow',
  rule: 2,
  retry_after_seconds: null,
  score: 0,
  entries: [],
  clear: ['tor', 'abuser'],
  unknown: ['incognito', 'timezone_mismatch'],
  client: { os: 'Unknown', browser: 'Unknown', contradictions: [], clear: [], unknown: ['user_agent'] },
  address: { country: 'Netherlands', asn: 64511, organization: 'Polder Hosting', connection_type: 'proxy' },
  page: null,
}

/** What a rule decides about it. */
export const DECIDED: DecideAnswer = {
  decision_id: '0d3f4d0e-7a51-4b5e-9a54-3f0b9d1c2e77',
  request_id: REQUEST_ID,
  purpose: 'signup',
  action: 'challenge',
  reasons: ['Rule “Sign-up through a hosting company” was met'],
  points: 0,
  rules: [
    {
      rule: 3,
      name: 'Sign-up through a hosting company',
      version: 2,
      state: 'on',
      effect: { action: 'challenge' },
    },
  ],
  failed_rules: [],
  score: 30,
  band: 'suspicious',
  device_id: ROW.device_id,
  visitor_id: ROW.visitor_id,
  cookie_id: ROW.cookie_id,
  velocity: { device: VELOCITY },
  account: 'b7e2f0c4',
  address_matches: true,
  age_seconds: 2,
  ver: ROW.ver,
  decided_at: '2026-10-12T09:30:00.120Z',
}
