import { z } from 'zod'
import { Uuid } from './identifiers.ts'

const omittedWhenEmpty = z.string().min(1).optional()
const attribution = (what: string) => omittedWhenEmpty.describe(`${what}; omitted when empty`)
const address = (what: string) => z.string().describe(`${what}, or 0.0.0.0 when there is none`)
const country = z.string().describe('Country of that address, English name or empty')
const candidate = z.string().describe('ICE candidate type of that address, or empty')
const flag = (what: string) => z.boolean().describe(what)

/** One entry of `score_details`, which is sent as JSON text inside a string. */
export const ScoreDetail = z
  .object({
    Value: z.int().describe('Points it added; 0 when informational or suppressed, negative for a correction'),
    Description: z.string().describe('Display text, from which clients derive the signal name'),
  })
  .describe('One entry of `score_details`, which is sent as JSON text inside a string')
export type ScoreDetail = z.infer<typeof ScoreDetail>

/** A row of the History API, keys in the order sent. */
export const HistoryRow = z
  .object({
    request_id: Uuid.describe('One identification, created in the browser'),
    session_id: Uuid.describe('One visit on one origin, shared by its open tabs'),
    cookie_id: Uuid.describe('First-party browser identifier; nil when missing or malformed'),
    domain: z.string().describe('Request host, may be a subdomain'),
    site_domain: omittedWhenEmpty.describe('Registered domain, only when `domain` is a subdomain of it'),
    user_hid: z
      .string()
      .describe(
        'Account identifier as passed to the agent. `anonymous`, `fail`, `-1`, `unknown`, `null` and the empty text name no account',
      ),
    device_id: Uuid.describe('Survives cleared cookies and private windows; nil when unusable'),
    visitor_id: Uuid.describe('Sticky to the device; nil when unusable'),
    ip: z.string().describe('IPv4, or 0.0.0.0 when none is known'),
    os: z.string().describe('Operating system, for display: an open set that includes `Unknown`'),
    browser: z.string().describe('Browser, for display: an open set that includes `Unknown`'),
    device_type: z
      .string()
      .describe('`desktop`, `mobile`, `tablet` or `unknown`; treat a new value as `unknown`'),
    country: z.string().describe('English country name, or empty when unknown'),
    connection_type: z
      .string()
      .describe(
        '`direct`, `mobile`, `vpn`, `proxy`, `tor`, `privacy_relay`, `browser_vpn_proxy` or `unknown`; treat a new value as `unknown`',
      ),
    score: z.int().describe('Risk Score 0-100; above 100 (999) means rate limited'),
    score_details: z
      .string()
      .describe('JSON text of an array of ScoreDetail, scored entries first; empty without entries'),
    created_at: z.string().describe('`YYYY-MM-DD HH:MM:SS.mmm` in UTC; older rows can lack the milliseconds'),
    ver: z.int().describe('Version in Unix milliseconds; grows with each refinement'),
    web_rtc_ip: address('Address seen by the network check'),
    web_rtc_country: country,
    web_rtc_connection_type: candidate,
    scanner_web_rtc_ip: address('Address the browser itself reported'),
    scanner_web_rtc_country: country,
    scanner_web_rtc_connection_type: candidate,
    webrtc_leak_ip: address('Leaked local network address'),
    webrtc_leak_country: country,
    webrtc_leak_connection_type: candidate,
    webrtc_leak_source: z
      .string()
      .describe('Who saw the leak: `scanner` (browser), `service` (server), `none` or empty; an open set'),
    tcp_mss: z.int().describe('TCP maximum segment size; 0 when unknown'),
    mtu_value: z.int().describe('Path MTU it implies; 0 when unknown'),
    mtu_hint: z.string().describe('What the MTU suggests: `direct`, `vpn_likely`, … or empty'),
    is_vpn: flag('Flag `vpn`'),
    is_tor: flag('Flag `tor`'),
    is_proxy: flag('Flag `proxy`'),
    is_datacenter: flag('Flag `datacenter_ip`'),
    is_abuser: flag('Flag `abuser`'),
    is_privacy_relay: flag('Flag `privacy_relay`'),
    is_stun_not_checked: flag('Flag `stun_not_checked`'),
    check_incomplete: flag('Flag `check_incomplete`'),
    is_antidetect: flag('Flag `anti_detect_browser`'),
    is_os_mismatch: flag('Flag `os_mismatch`'),
    is_os_not_detected: flag('Flag `os_not_detected`'),
    is_timezone_mismatch: flag('Flag `timezone_mismatch`'),
    is_js_disabled: flag('Flag `javascript_disabled`'),
    is_browser_automation: flag('Flag `browser_automation`'),
    is_incognito: flag('Flag `incognito`'),
    is_search_bot: flag('Flag `search_bot`: a verified crawler, always scored 0'),
    stun_request_seen: flag('Whether the network check was seen by the server'),
    is_scanner_stun_passed: flag('Whether the browser reported that the network check passed'),
    stun_flow_status: z
      .string()
      .describe('How the network check went: `ok`, `reply_without_request`, … or empty'),
    is_suspicious_paid_click: z
      .literal(true)
      .optional()
      .describe('Flag `suspicious_paid_click`; omitted when false'),
    entry_url: attribution('Landing page without its fragment'),
    utm_source: attribution('UTM source, lowercased'),
    utm_medium: attribution('UTM medium, lowercased'),
    utm_campaign: attribution('UTM campaign'),
    utm_content: attribution('UTM content'),
    utm_term: attribution('UTM term'),
    traffic_channel: attribution('Channel the visit came from, such as `Google Ads` or `Direct`'),
    traffic_channel_group: attribution('Group of that channel, such as `Paid Search`'),
    traffic_reason: attribution('Why that channel, such as `gclid_present`'),
    referrer_domain: attribution('Registrable domain of the referrer, or the name of a crawler'),
    click_id_type: attribution('Which click ID the landing page carried, such as `gclid`'),
  })
  .describe('One identification, in its latest version; keys in the order sent')
export type HistoryRow = z.infer<typeof HistoryRow>

/** Answer of a History search; `total` counts every match, not only this page. */
export const HistoryPage = z
  .object({
    data: z.array(HistoryRow).describe('Rows, newest first; empty when nothing matched'),
    total: z.int().nonnegative().describe('Number of all matches, not only of this page'),
  })
  .describe('One page of a History search')
export type HistoryPage = z.infer<typeof HistoryPage>
