import { z } from 'zod'
import { DETECTION_FLAGS, type DetectionFlag } from './detection-flags.ts'
import { FIELDS } from './fields.ts'

export const SCHEMA_VERSION = '2026-06-01'

/** A part of the score with its points. */
export const RiskSignal = z
  .object({
    name: z.string().describe('Signal name, to show and to log. Later releases bring new ones'),
    weight: z.int().describe('Points it added; a correction takes points away'),
  })
  .describe('A part of the score. The sum of the parts need not be the score')
export type RiskSignal = z.infer<typeof RiskSignal>

/** Every key is always sent. */
export const DetectionFlags = z
  .object(
    Object.fromEntries(
      DETECTION_FLAGS.map(({ flag, meaning }) => [flag, z.boolean().describe(meaning)]),
    ) as Record<DetectionFlag, z.ZodBoolean>,
  )
  .describe('Flags for decisions, together with the score. Read a missing flag as false')
export type DetectionFlags = Record<DetectionFlag, boolean>

const Address = z.object({
  ip: z.string().describe('IPv4 address, or empty'),
  country: z.string().describe('Country in English, or empty. A Test delivery has two-letter codes'),
})
const Timestamp = z.string().describe('RFC 3339, UTC, with as many digits of the second as it needs')
const SchemaVersion = z.string().describe(`\`${SCHEMA_VERSION}\` today. Take any other value, too`)

/** All nine keys are always present. */
export const TrafficSource = z
  .object({
    channel: z.string().describe('Where the visit came from, such as `Google Ads`, or empty'),
    referrer_domain: z.string().describe('Registrable domain of the referrer, or empty'),
    landing_url: z.string().describe('Landing page up to its `#`, or empty'),
    click_id_type: z.string().describe('Kind of click ID on the landing page, such as `gclid`, or empty'),
    utm_source: z.string().describe('`utm_source` of the landing page in lower case, or empty'),
    utm_medium: z.string().describe('`utm_medium` of the landing page in lower case, or empty'),
    utm_campaign: z.string().describe('`utm_campaign` of the landing page, or empty'),
    utm_content: z.string().describe('`utm_content` of the landing page, or empty'),
    utm_term: z.string().describe('`utm_term` of the landing page, or empty'),
  })
  .describe('Where the visit came from. Every key is always present')

const ScoredData = z.object({
  request_id: FIELDS.requestId,
  visitor_id: FIELDS.visitorId,
  device_id: FIELDS.deviceId,
  session_id: FIELDS.sessionId,
  cookie_id: FIELDS.cookieId,
  user_hid: z.string().nullable().describe('Your pseudonym for the account; null for the empty one'),
  domain: z.string().describe('Registered domain'),
  public_ip: Address.describe('Address of the request'),
  local_ip: Address.describe(
    'Address that the network check revealed, or else the one it came from; empty where it cannot be compared with the public one, as in History',
  ),
  connection_type: FIELDS.connectionType,
  os: FIELDS.os,
  browser: FIELDS.browser,
  device_type: FIELDS.deviceType,
  traffic_source: TrafficSource,
  risk_score: FIELDS.score,
  signals: z.array(RiskSignal).describe('The parts of the score'),
  detection_flags: DetectionFlags,
  observed_at: Timestamp.describe('When the identification was made: RFC 3339, UTC'),
})

/** Sent to each enabled endpoint once, when the score of an identification is final. Keys in the order sent. */
export const IdentificationScored = z
  .object({
    event_type: z.literal('identification.scored').describe('Name of the event'),
    schema_version: SchemaVersion,
    created_at: Timestamp.describe('When the score was final: RFC 3339, UTC'),
    data: ScoredData.describe('The identification at that time'),
    event_id: z
      .string()
      .optional()
      .describe('Same value each time this event is sent. Only there when retries are switched on'),
  })
  .describe('The event `identification.scored`; keys in the order sent')
export type IdentificationScored = z.infer<typeof IdentificationScored>

/** What the dashboard's Test button sends: a sample that lacks the two newest flags, as older senders do. */
export const TestDelivery = IdentificationScored.extend({
  data: ScoredData.extend({
    detection_flags: DetectionFlags.omit({ browser_automation: true, search_bot: true }).describe(
      'All flags but `browser_automation` and `search_bot`',
    ),
  }).describe('The sample'),
}).describe('What the Test button sends: always the same, with the keys of every object sorted')
export type TestDelivery = z.infer<typeof TestDelivery>

/** Verifies an endpoint. Keys sorted, whole seconds, no `data`. */
export const WebhookPing = z
  .object({
    created_at: z.string().describe('When it was sent: RFC 3339, UTC, whole seconds'),
    event_type: z.literal('webhook.ping').describe('Name of the event'),
    schema_version: SchemaVersion,
  })
  .describe('The event `webhook.ping`, which verifies an endpoint; keys sorted')
export type WebhookPing = z.infer<typeof WebhookPing>
