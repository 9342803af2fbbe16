import type { DetectionFlags, IdentificationScored, PatternChanged, WebhookPing } from '@inkling/contract'
import { InklingError } from '../inkling-error.ts'
import { NO_FLAGS } from '../verdict/row-flags.ts'

/** An event of a later release: answer 2xx and leave it. */
export interface OtherEvent {
  event_type: string
  [field: string]: unknown
}

/** What was delivered, by its kind. Fields that this release does not know are kept. */
export type WebhookDelivery =
  | { kind: 'identification.scored'; event: IdentificationScored }
  | { kind: 'pattern.changed'; event: PatternChanged }
  | { kind: 'webhook.ping'; event: WebhookPing }
  | { kind: 'other'; event: OtherEvent }

/** Reads a signed body. Only what a handler cannot do without is required. */
export function readEvent(body: Uint8Array): WebhookDelivery {
  const event = parse(body)
  if (!isObject(event) || typeof event.event_type !== 'string') throw malformed('it names no event_type')
  if (event.event_type === 'webhook.ping')
    return { kind: 'webhook.ping', event: event as unknown as WebhookPing }
  if (event.event_type === 'pattern.changed') return { kind: 'pattern.changed', event: patternChanged(event) }
  if (event.event_type !== 'identification.scored')
    return { kind: 'other', event: { ...event, event_type: event.event_type } }
  return { kind: 'identification.scored', event: scored(event) }
}

function scored(event: Record<string, unknown>): IdentificationScored {
  const { data } = event
  if (!isObject(data) || typeof data.request_id !== 'string' || typeof data.risk_score !== 'number')
    throw malformed('its data has no request_id or risk_score')
  const sent = isObject(data.detection_flags) ? data.detection_flags : {}
  // A Test delivery lacks flags, which read as false.
  const flags = { ...NO_FLAGS, ...sent } as DetectionFlags
  return {
    ...event,
    data: { ...data, signals: Array.isArray(data.signals) ? data.signals : [], detection_flags: flags },
  } as unknown as IdentificationScored
}

function patternChanged(event: Record<string, unknown>): PatternChanged {
  const { data } = event
  if (!isObject(data) || typeof data.pattern !== 'string' || typeof data.change !== 'string')
    throw malformed('its data has no pattern or change')
  return event as unknown as PatternChanged
}

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body))
  } catch (cause) {
    throw malformed('it is not JSON', cause)
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const malformed = (why: string, cause?: unknown): InklingError =>
  new InklingError('malformed_event', `signed, but not an event: ${why}`, { cause })
