import type { DecideAnswer, DecideRefusal, DecideRequest, Label } from '@inkling/contract'
import { InklingError } from './inkling-error.ts'
import type { JsonAnswer } from './request.ts'

export interface DecideOptions {
  purpose: DecideRequest['purpose']
  /** Your pseudonym for the account in question. Without it, rules see the account of the visit. */
  account?: string
  /** Facts of your own for the rules. They are stored: nothing personal. */
  fields?: DecideRequest['fields']
  /** Where your backend got the request from. */
  clientAddress?: string
  /** SHA-256 of the domain of an e-mail address in lower case, in hexadecimal, for your lists. */
  emailDomainHash?: string
  /** Host of the page that you expect. */
  host?: string
  /** How long the server waits for the identification, in milliseconds, at most 5,000. Default 1,500. */
  waitMs?: number
  /** An older visit is refused. Default 600. */
  maxAgeSeconds?: number
  /** Names this question, so that you can ask it again. Default: a new one, for the retries of this call. */
  idempotencyKey?: string
  signal?: AbortSignal
}

/**
 * - `decided`: do what `action` says
 * - `unverified`: the domain has no such identification
 * - `refused`: it was used, is too old, or of another host; treat it like `deny` or `challenge`
 */
export type DecidedVisit =
  | ({ status: 'decided' } & DecideAnswer)
  | { status: 'unverified'; requestId: unknown }
  | { status: 'refused'; reason: DecideRefusal['reason']; requestId: string }

export const DECIDE_WAIT_MS = 1_500

/** The body of the request. Undefined members are left out by JSON. */
export const questionOf = (requestId: string, options: DecideOptions) => ({
  request_id: requestId,
  purpose: options.purpose,
  account: options.account,
  fields: options.fields,
  client_address: options.clientAddress,
  email_domain_hash: options.emailDomainHash,
  host: options.host,
  wait_ms: options.waitMs ?? DECIDE_WAIT_MS,
  max_age_seconds: options.maxAgeSeconds,
  idempotency_key: options.idempotencyKey ?? globalThis.crypto.randomUUID(),
})

export function readDecision({ status, json }: JsonAnswer, requestId: string): DecidedVisit {
  // Plain text in a 404 is for an unknown route.
  if (status === 404 && json === undefined)
    throw new InklingError('not_found', 'no decisions at this historyUrl', { status })
  if (status === 404) return { status: 'unverified', requestId }
  if (status === 409 && isRefusal(json)) return { status: 'refused', reason: json.reason, requestId }
  if (!isDecision(json, requestId))
    throw new InklingError('unexpected_response', 'not a decision about this visit', { status })
  return { status: 'decided', ...json }
}

const isRefusal = (json: unknown): json is DecideRefusal =>
  typeof json === 'object' && json !== null && 'reason' in json && typeof json.reason === 'string'

/** A new action of a later release must not pass for `allow`, so it has to be text that the caller compares. */
const isDecision = (json: unknown, requestId: string): json is DecideAnswer =>
  typeof json === 'object' &&
  json !== null &&
  'action' in json &&
  typeof json.action === 'string' &&
  'request_id' in json &&
  json.request_id === requestId

export function readLabel({ status, json }: JsonAnswer): Label {
  const isLabel = typeof json === 'object' && json !== null && 'id' in json && 'subject' in json
  if (status === 404) throw new InklingError('not_found', 'no labels at this historyUrl', { status })
  if (!isLabel) throw new InklingError('unexpected_response', 'not a label', { status })
  return json as Label
}
