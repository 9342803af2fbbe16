import { z } from 'zod'
import { ScoreDetail } from './history-row.ts'
import { Uuid } from './identifiers.ts'

/** An identification as the deprecated and the older routes answer it. New clients read HistoryRow. */
export const LegacySnapshot = z.object({
  RequestID: Uuid.describe('One identification, created in the browser'),
  SessionID: Uuid.describe('One visit on one origin'),
  CookieID: Uuid.describe('First-party browser identifier; nil when missing or malformed'),
  DeviceID: Uuid.describe('Survives cleared cookies and private windows; nil when unusable'),
  VisitorID: Uuid.describe('Sticky to the device; nil when unusable'),
  IP: z.string().describe('IPv4, or 0.0.0.0 when none is known'),
  OS: z.string().describe('Operating system, for display'),
  Browser: z.string().describe('Browser, for display'),
  DeviceType: z.string().describe('`desktop`, `mobile`, `tablet` or `unknown`; an open set'),
  Country: z.string().describe('English country name, or empty when unknown'),
  UserHID: z.string().describe('Account identifier as passed to the agent'),
  ConnectionType: z.string().describe('As in History; an open set'),
  WebRtcConnectionType: z
    .string()
    .describe('ICE candidate type of the address seen by the network check, or empty'),
  WebRtcCountry: z.string().describe('Country of that address, or empty'),
  WebRtcHIP: z.string().describe('Address that the network check saw; empty when it saw none'),
  TcpMss: z.int().describe('TCP maximum segment size; 0 when unknown'),
  MtuValue: z.int().describe('Path MTU it implies; 0 when unknown'),
  MtuHint: z.string().describe('What the MTU suggests: `direct`, `vpn_likely`, … or empty'),
  Score: z.int().describe('Risk Score 0-100; above 100 (999) means rate limited'),
  Details: z.array(ScoreDetail).describe('What the score consists of, scored entries first'),
  LastRequestTime: z.string().describe('When the identification was made, RFC 3339 UTC'),
})
export type LegacySnapshot = z.infer<typeof LegacySnapshot>
