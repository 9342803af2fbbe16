import { z } from 'zod'
import { FIELDS } from './fields.ts'
import { ScoreDetail } from './history-row.ts'

/** What only the deprecated and the path-credential routes answer. New clients read HistoryRow. */

const details = z.array(ScoreDetail).describe('Entries of the score; those that added points come first')

/** An identification as the deprecated routes answer it. */
export const LegacySnapshot = z.object({
  RequestID: FIELDS.requestId,
  SessionID: FIELDS.sessionId,
  CookieID: FIELDS.cookieId,
  DeviceID: FIELDS.deviceId,
  VisitorID: FIELDS.visitorId,
  IP: FIELDS.ipv4,
  OS: FIELDS.os,
  Browser: FIELDS.browser,
  DeviceType: FIELDS.deviceType,
  Country: FIELDS.country,
  UserHID: FIELDS.userHid,
  ConnectionType: FIELDS.connectionType,
  WebRtcConnectionType: z
    .string()
    .describe('ICE candidate type of the address that the network check saw, or empty'),
  WebRtcCountry: z.string().describe('Country of that address, or empty'),
  WebRtcHIP: z.string().describe('Address that the network check saw, or empty'),
  TcpMss: z.int().describe('Maximum segment size of the TCP connection; 0 when the server did not see it'),
  MtuValue: z.int().describe('Path MTU that follows from it; 0 when the server did not see it'),
  MtuHint: z.string().describe('What that MTU suggests, such as `direct` or `vpn_likely`; may be empty'),
  Score: FIELDS.score,
  Details: details,
  LastRequestTime: z.string().describe('When it was made: RFC 3339, UTC'),
})
export type LegacySnapshot = z.infer<typeof LegacySnapshot>

/** A row of the older path-credential history. */
export const OlderHistoryRow = z.object({
  request_id: FIELDS.requestId,
  device_id: FIELDS.deviceId,
  visitor_id: FIELDS.visitorId,
  user_hid: FIELDS.userHid,
  ip: FIELDS.ipv4,
  os: FIELDS.os,
  country: FIELDS.country,
  score: FIELDS.score,
  details,
  created_at: FIELDS.rowTime,
})
export type OlderHistoryRow = z.infer<typeof OlderHistoryRow>

/** Answer of the older history search. */
export const OlderHistoryPage = z.object({
  total: z.int().nonnegative().describe('How many rows match, on all pages together'),
  data: z.array(OlderHistoryRow).describe('This page, newest first'),
})
export type OlderHistoryPage = z.infer<typeof OlderHistoryPage>

/** Answer of the older route that sets the webhook URL. */
export const CallbackAnswer = z
  .object({ callback: z.url().describe('The URL that is now set') })
  .describe('The webhook URL as it now is')
export type CallbackAnswer = z.infer<typeof CallbackAnswer>
