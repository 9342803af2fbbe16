import {
  type DecisionChanged,
  type DetectionFlags,
  type DeviceMerged,
  type DeviceSplit,
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
 * @param signed the value of `X-Svc-Signature`, or all headers of the request if the server sends those of Standard
 *   Webhooks. These also cover ID and time, so a delivery that is more than five minutes old is refused
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
  signed: SignatureHeader | HeadersLike,
  secrets: string | readonly string[],
): Promise<WebhookDelivery> {
  const body = typeof rawBody === 'string' ? utf8.encode(rawBody) : new Uint8Array(rawBody)
  if (await isSigned(body, signed, secrets)) return readEvent(body)
  throw new InklingError('invalid_signature', 'the signature fits none of the secrets')
}

const SIGNATURE = /^sha256=([0-9a-f]{64})$/
const HMAC = { name: 'HMAC', hash: 'SHA-256' }
/** How far the time of a delivery may be from this machine's. */
const TOLERANCE_SECONDS = 300

/** A header as runtimes return it: `Headers.get` may return null, and Node's `headers` an array. */
export type SignatureHeader = string | readonly string[] | null | undefined

/** The headers of a request: a `Headers` object, or Node's object of lower-case names. */
export type HeadersLike =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined }

/** A signature, the bytes that it covers and how a secret becomes its key. */
interface SignedBytes {
  signatures: readonly Uint8Array<ArrayBuffer>[]
  bytes: Uint8Array<ArrayBuffer>
  keyOf(secret: string): Uint8Array<ArrayBuffer> | undefined
}

/** Whether one of the secrets signed these bytes. All are tried, so timing does not show which one did. */
async function isSigned(
  body: Uint8Array<ArrayBuffer>,
  signed: SignatureHeader | HeadersLike,
  secrets: string | readonly string[],
): Promise<boolean> {
  // Anybody can sign with an empty secret, which is what an unset variable would be.
  const given = [secrets].flat().filter((secret) => secret !== '')
  if (given.length === 0) throw new InklingError('invalid_argument', 'no signing secret is given')
  const { signatures, bytes, keyOf } = isHeaders(signed)
    ? readStandard(body, signed)
    : readContract(body, signed)
  const matches = await Promise.all(
    given.flatMap((secret) => signatures.map((signature) => isSignedWith(keyOf(secret), signature, bytes))),
  )
  return matches.includes(true)
}

const isHeaders = (signed: SignatureHeader | HeadersLike): signed is HeadersLike =>
  typeof signed === 'object' && signed !== null && !Array.isArray(signed)

function readContract(body: Uint8Array<ArrayBuffer>, header: SignatureHeader): SignedBytes {
  const hex = SIGNATURE.exec(typeof header === 'string' ? header : '')?.[1]
  const signature =
    hex && Uint8Array.from({ length: 32 }, (_, at) => Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16))
  return { signatures: signature ? [signature] : [], bytes: body, keyOf: (secret) => utf8.encode(secret) }
}

/** https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md */
function readStandard(body: Uint8Array<ArrayBuffer>, headers: HeadersLike): SignedBytes {
  const [id, timestamp] = [headerOf(headers, 'webhook-id'), headerOf(headers, 'webhook-timestamp')]
  const isCurrent = Math.abs(Date.now() / 1_000 - Number(timestamp || Number.NaN)) <= TOLERANCE_SECONDS
  const signatures = headerOf(headers, 'webhook-signature')
    .split(' ')
    .flatMap((entry) => (entry.startsWith('v1,') ? (base64(entry.slice(3)) ?? []) : []))
  const prefix = utf8.encode(`${id}.${timestamp}.`)
  const bytes = new Uint8Array(prefix.length + body.length)
  bytes.set(prefix)
  bytes.set(body, prefix.length)
  return {
    signatures: id !== '' && isCurrent ? signatures : [],
    bytes,
    keyOf: (secret) => base64(secret.replace(/^whsec_/, '')),
  }
}

function headerOf(headers: HeadersLike, name: string): string {
  const value =
    typeof headers.get === 'function' ? headers.get(name) : (headers as Record<string, unknown>)[name]
  return typeof value === 'string' ? value : ''
}

/** Undefined for what is not Base64. */
function base64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

async function isSignedWith(
  bytes: Uint8Array<ArrayBuffer> | undefined,
  signature: Uint8Array<ArrayBuffer>,
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  if (!bytes || bytes.length === 0) return false
  const key = await crypto.subtle.importKey('raw', bytes, HMAC, false, ['verify'])
  // Implementations compare in constant time: https://www.w3.org/TR/webcrypto-2/#hmac-operations-verify
  return crypto.subtle.verify(HMAC, key, signature, signed)
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
  | { kind: 'decision.changed'; event: DecisionChanged }
  | { kind: 'device.merged'; event: DeviceMerged }
  | { kind: 'device.split'; event: DeviceSplit }
  | { kind: 'webhook.ping'; event: WebhookPing }
  | { kind: 'other'; event: OtherEvent }

/** Requires only the fields that every handler needs. */
function readEvent(body: Uint8Array): WebhookDelivery {
  const event = parseBody(body)
  if (!isObject(event) || typeof event.event_type !== 'string') throw malformed('it names no event_type')
  if (event.event_type === 'webhook.ping')
    return { kind: 'webhook.ping', event: event as unknown as WebhookPing }
  if (event.event_type === 'pattern.changed') return { kind: 'pattern.changed', event: patternChanged(event) }
  if (event.event_type === 'decision.changed')
    return { kind: 'decision.changed', event: decisionChanged(event) }
  if (event.event_type === 'device.merged' || event.event_type === 'device.split') return deviceChanged(event)
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

function decisionChanged(event: Record<string, unknown>): DecisionChanged {
  const { data } = event
  if (!isObject(data) || typeof data.decision_id !== 'string' || typeof data.action !== 'string')
    throw malformed('its data has no decision_id or action')
  return event as unknown as DecisionChanged
}

function deviceChanged(event: Record<string, unknown>): WebhookDelivery {
  const { event_type, data } = event
  const isMerge = event_type === 'device.merged'
  const other = isMerge ? 'merged_device_id' : 'split_device_id'
  if (!isObject(data) || typeof data.device_id !== 'string' || typeof data[other] !== 'string')
    throw malformed(`its data has no device_id or ${other}`)
  return isMerge
    ? { kind: 'device.merged', event: event as unknown as DeviceMerged }
    : { kind: 'device.split', event: event as unknown as DeviceSplit }
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
