import {
  type DetectionFlags,
  type IdentificationScored,
  NO_FLAGS,
  namesOne,
  type PatternChanged,
  type WebhookPing,
} from '@inkling/contract'
import { InklingError } from './inkling-error.ts'
import type { ReplayStore } from './replay-store.ts'

const utf8 = new TextEncoder()

/**
 * Verifies the signature of a webhook and reads its event.
 *
 * @param rawBody the bytes of the request. Parsed JSON that is written again has other bytes
 * @param header the value of `X-Svc-Signature`
 * @param secrets with `whsec_`, as the dashboard shows them. During a rotation pass the old and the new one
 *
 * @example
 * const { kind, event } = await webhooks.verify(rawBody, request.headers['x-svc-signature'], [secret])
 * if (kind === 'identification.scored') queue.add(event.data)
 *
 * @throws InklingError `invalid_signature` (answer 401), `malformed_event` (answer 400), or `invalid_argument`
 *   without a secret
 */
export async function verify(
  rawBody: Uint8Array | ArrayBuffer | string,
  header: SignatureHeader,
  secrets: string | readonly string[],
): Promise<WebhookDelivery> {
  const body = typeof rawBody === 'string' ? utf8.encode(rawBody) : new Uint8Array(rawBody)
  if (await isSigned(body, header, secrets)) return readEvent(body)
  throw new InklingError('invalid_signature', 'the signature fits none of the secrets')
}

const SIGNATURE = /^sha256=([0-9a-f]{64})$/
const HMAC = { name: 'HMAC', hash: 'SHA-256' }

/** A header as runtimes return it: `Headers.get` may return null, and Node's `headers` an array. */
export type SignatureHeader = string | readonly string[] | null | undefined

/** Whether one of the secrets signed these bytes. All are tried, so timing does not show which one did. */
async function isSigned(
  body: Uint8Array<ArrayBuffer>,
  header: SignatureHeader,
  secrets: string | readonly string[],
): Promise<boolean> {
  // Anybody can sign with an empty secret, which is what an unset variable would be.
  const given = [secrets].flat().filter((secret) => secret !== '')
  if (given.length === 0) throw new InklingError('invalid_argument', 'no signing secret is given')
  const hex = SIGNATURE.exec(typeof header === 'string' ? header : '')?.[1]
  if (!hex) return false
  const signature = Uint8Array.from({ length: 32 }, (_, at) =>
    Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16),
  )
  const matches = await Promise.all(given.map((secret) => isSignedWith(secret, signature, body)))
  return matches.includes(true)
}

async function isSignedWith(
  secret: string,
  signature: Uint8Array<ArrayBuffer>,
  body: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  const key = await crypto.subtle.importKey('raw', utf8.encode(secret), HMAC, false, ['verify'])
  // Implementations compare in constant time: https://www.w3.org/TR/webcrypto-2/#hmac-operations-verify
  return crypto.subtle.verify(HMAC, key, signature, body)
}

/** An event of a later release. Answer 2xx and ignore it. */
export interface OtherEvent {
  event_type: string
  [field: string]: unknown
}

/** A delivery. Fields that this release does not know are kept. */
export type WebhookDelivery =
  | { kind: 'identification.scored'; event: IdentificationScored }
  | { kind: 'pattern.changed'; event: PatternChanged }
  | { kind: 'webhook.ping'; event: WebhookPing }
  | { kind: 'other'; event: OtherEvent }

/** Requires only the fields that every handler needs. */
function readEvent(body: Uint8Array): WebhookDelivery {
  const event = parseBody(body)
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
  // A Test delivery lacks two flags.
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

function parseBody(body: Uint8Array): unknown {
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

export interface HandleOnceOptions {
  store: ReplayStore
  handle: (event: IdentificationScored) => Promise<void> | void
  /** How long to remember an event, in milliseconds. Default 24 hours, while retries end after 15 minutes. */
  ttlMs?: number
}

const TTL_MS = 24 * 60 * 60 * 1_000

/**
 * Handles each identification once, even if its event arrives again. Returns true if `handle` ran. If `handle`
 * throws, the event is forgotten, so that the next delivery is handled.
 *
 * @example
 * const { kind, event } = await webhooks.verify(rawBody, header, secrets)
 * if (kind === 'identification.scored') await webhooks.handleOnce(event, { store, handle: save })
 */
export async function handleOnce(
  event: IdentificationScored,
  { store, handle, ttlMs = TTL_MS }: HandleOnceOptions,
): Promise<boolean> {
  const key = eventKey(event)
  if (!(await store.claim(key, ttlMs))) return false
  try {
    await handle(event)
    return true
  } catch (error) {
    await store.release(key)
    throw error
  }
}

/** Rate-limited visits with a malformed request ID share the nil UUID. Their times differ. */
function eventKey({ data }: IdentificationScored): string {
  const id = data.request_id.toLowerCase()
  return namesOne(id) ? `event:${id}` : `event:${id}:${data.observed_at}`
}
