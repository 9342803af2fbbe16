import { z } from 'zod'
import { DetectionFlags } from './detection-flags.ts'
import { Uuid } from './identifiers.ts'

export const SCHEMA_VERSION = '2026-06-01'

/** A named part of the score. Keep unknown names; never add weights up. */
export const RiskSignal = z
  .object({
    name: z.string().describe('Signal name, an open set: for display and logs, never to decide on'),
    weight: z.int().describe('Its part of the score; may be negative'),
  })
  .describe('A named part of the score. Keep unknown names; never add weights up')
export type RiskSignal = z.infer<typeof RiskSignal>

const Address = z.object({
  ip: z.string().describe('Empty when there is no IPv4 address'),
  country: z.string().describe('English country name, or empty; two letters in a Test delivery'),
})
const Timestamp = z.string().describe('RFC 3339 UTC, up to nine fractional digits')
const SchemaVersion = z.string().describe(`Currently \`${SCHEMA_VERSION}\`; accept other values`)

/** All nine keys are always present. */
export const TrafficSource = z
  .object({
    channel: z.string().describe('Channel the visit came from, such as `Google Ads`, or empty'),
    referrer_domain: z.string().describe('Registrable domain of the referrer, or empty'),
    landing_url: z.string().describe('Landing page without its fragment, or empty'),
    click_id_type: z.string().describe('Click ID the landing page carried, such as `gclid`, or empty'),
    utm_source: z.string().describe('UTM source, lowercased, or empty'),
    utm_medium: z.string().describe('UTM medium, lowercased, or empty'),
    utm_campaign: z.string().describe('UTM campaign, or empty'),
    utm_content: z.string().describe('UTM content, or empty'),
    utm_term: z.string().describe('UTM term, or empty'),
  })
  .describe('Where a visit came from. All nine keys are always present')

const ScoredData = z.object({
  request_id: Uuid.describe('The identification; be idempotent on it'),
  visitor_id: Uuid.describe('Sticky to the device; nil when unusable'),
  device_id: Uuid.describe('Survives cleared cookies and private windows; nil when unusable'),
  session_id: Uuid.describe('One visit on one origin'),
  cookie_id: Uuid.describe('First-party browser identifier'),
  user_hid: z.string().nullable().describe('Account identifier as passed to the agent; null when empty'),
  domain: z.string().describe('Registered domain'),
  public_ip: Address.describe('Address the request came from'),
  local_ip: Address.describe('Leaked address, or else the one that the network check saw'),
  connection_type: z.string().describe('As in History; decide on `detection_flags` instead'),
  os: z.string().describe('Operating system, for display'),
  browser: z.string().describe('Browser, for display'),
  device_type: z.string().describe('`desktop`, `mobile`, `tablet` or `unknown`; an open set'),
  traffic_source: TrafficSource.describe('Where the visit came from'),
  risk_score: z.int().describe('Risk Score 0-100; above 100 (999) means rate limited'),
  signals: z.array(RiskSignal).describe('What the score consists of'),
  detection_flags: DetectionFlags.describe('What to decide on, next to the score'),
  observed_at: Timestamp.describe('When the identification was made; RFC 3339 UTC'),
})

/** Sent once per identification and enabled endpoint when scoring is final; keys in the order sent. */
export const IdentificationScored = z
  .object({
    event_type: z.literal('identification.scored').describe('Name of the event'),
    schema_version: SchemaVersion,
    created_at: Timestamp.describe('When scoring was final; RFC 3339 UTC, up to nine fractional digits'),
    data: ScoredData.describe('Snapshot of the identification at that time'),
    event_id: z.string().optional().describe('Only when retries are on: the same in every send of an event'),
  })
  .describe('The event `identification.scored`; keys in the order sent')
export type IdentificationScored = z.infer<typeof IdentificationScored>

/**
 * The fixed sample of the dashboard's Test button: an `identification.scored` whose flags lack the two
 * that were added last, as a receiver must tolerate.
 */
export const TestDelivery = IdentificationScored.extend({
  data: ScoredData.extend({
    detection_flags: DetectionFlags.omit({ browser_automation: true, search_bot: true }).describe(
      'Without `browser_automation` and `search_bot`: a missing flag reads as false',
    ),
  }).describe('The sample'),
}).describe('The fixed sample of the Test button: every object has its keys sorted')
export type TestDelivery = z.infer<typeof TestDelivery>

/** Verifies an endpoint; keys sorted, second precision, no `data`. */
export const WebhookPing = z
  .object({
    created_at: z.string().describe('RFC 3339 UTC to the second'),
    event_type: z.literal('webhook.ping').describe('Name of the event'),
    schema_version: SchemaVersion,
  })
  .describe('The event `webhook.ping`: keys sorted, no `data`')
export type WebhookPing = z.infer<typeof WebhookPing>
