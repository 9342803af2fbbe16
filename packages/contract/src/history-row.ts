import { z } from 'zod'
import { FLAG_COLUMNS, flagOfColumn, type RowFlagColumn } from './detection-flags.ts'
import { FIELDS } from './fields.ts'

/** One entry of `score_details`, which is sent as JSON text inside a string. */
export const ScoreDetail = z
  .object({
    Value: z
      .int()
      .describe('Points it added: below 0 for a correction, 0 for information or when suppressed'),
    Description: z.string().describe('What was found, for display; readers derive the signal name from it'),
  })
  .describe('One entry of `score_details`, once that text is parsed')
export type ScoreDetail = z.infer<typeof ScoreDetail>

const text = z.string()
const omittedWhenEmpty = (what: string) => text.min(1).optional().describe(`${what}. Left out when empty`)
const flagColumns = Object.fromEntries(
  FLAG_COLUMNS.map((column) => [column, z.boolean().describe(`Flag \`${flagOfColumn(column)}\``)]),
) as Record<RowFlagColumn, z.ZodBoolean>

/** An address from the network check; its country and kind are in two more columns. */
const seenAddress = (what: string) => text.describe(`${what}, or \`0.0.0.0\``)
const itsCountry = text.describe('Country of that address, in English, or empty')
const itsKind = text.describe('ICE candidate type of that address, or empty')

/** A row of the History API, keys in the order sent. */
export const HistoryRow = z
  .object({
    request_id: FIELDS.requestId,
    session_id: FIELDS.sessionId,
    cookie_id: FIELDS.cookieId,
    domain: text.describe('Host of the page: the registered domain or one below it'),
    site_domain: text.min(1).optional().describe('Registered domain, where `domain` is one below it'),
    user_hid: FIELDS.userHid,
    device_id: FIELDS.deviceId,
    visitor_id: FIELDS.visitorId,
    ip: FIELDS.ipv4,
    os: FIELDS.os,
    browser: FIELDS.browser,
    device_type: FIELDS.deviceType,
    country: FIELDS.country,
    connection_type: FIELDS.connectionType,
    score: FIELDS.score,
    score_details: text.describe(
      'The entries of the score as JSON text, those that added points first; empty without entries',
    ),
    created_at: FIELDS.rowTime,
    ver: z
      .int()
      .describe(
        'Version of the row in Unix milliseconds. The first equals `created_at`; each update raises it',
      ),
    web_rtc_ip: seenAddress('Address from which the network check reached the server'),
    web_rtc_country: itsCountry,
    web_rtc_connection_type: itsKind,
    scanner_web_rtc_ip: seenAddress('Address that the browser named in the network check'),
    scanner_web_rtc_country: itsCountry,
    scanner_web_rtc_connection_type: itsKind,
    webrtc_leak_ip: seenAddress('Address behind the public one, revealed by the network check'),
    webrtc_leak_country: itsCountry,
    webrtc_leak_connection_type: itsKind,
    webrtc_leak_source: text.describe(
      'Who found it: `service` is the server, `scanner` the browser. Otherwise `none` or empty',
    ),
    tcp_mss: z.int().describe('Maximum segment size of the TCP connection; 0 when the server did not see it'),
    mtu_value: z.int().describe('Path MTU that follows from it; 0 when the server did not see it'),
    mtu_hint: text.describe('What that MTU suggests, such as `direct` or `vpn_likely`; may be empty'),
    ...flagColumns,
    is_suspicious_paid_click: z
      .literal(true)
      .optional()
      .describe(`Flag \`${flagOfColumn('is_suspicious_paid_click')}\`. Left out when false`),
    stun_request_seen: z.boolean().describe('Whether a packet of the network check reached the server'),
    is_scanner_stun_passed: z.boolean().describe('Whether the browser says that its network check passed'),
    stun_flow_status: text.describe(
      'How the network check went, such as `ok` or `reply_without_request`; may be empty',
    ),
    entry_url: omittedWhenEmpty('Landing page, up to its `#`'),
    utm_source: omittedWhenEmpty('`utm_source` of the landing page in lower case'),
    utm_medium: omittedWhenEmpty('`utm_medium` of the landing page in lower case'),
    utm_campaign: omittedWhenEmpty('`utm_campaign` of the landing page'),
    utm_content: omittedWhenEmpty('`utm_content` of the landing page'),
    utm_term: omittedWhenEmpty('`utm_term` of the landing page'),
    traffic_channel: omittedWhenEmpty('Where the visit came from, such as `Google Ads` or `Direct`'),
    traffic_channel_group: omittedWhenEmpty('Kind of that channel, such as `Paid Search`'),
    traffic_reason: omittedWhenEmpty('What gave the channel away, such as `gclid_present`'),
    referrer_domain: omittedWhenEmpty('Registrable domain of the referrer; for a crawler its name'),
    click_id_type: omittedWhenEmpty('Kind of click ID on the landing page, such as `gclid`'),
  })
  .describe('One identification as it is now; keys in the order sent')
export type HistoryRow = z.infer<typeof HistoryRow>

/** Answer of a History search. */
export const HistoryPage = z
  .object({
    data: z.array(HistoryRow).describe('This page, newest first'),
    total: z.int().nonnegative().describe('How many rows match, on all pages together'),
  })
  .describe('One page of a History search')
export type HistoryPage = z.infer<typeof HistoryPage>
