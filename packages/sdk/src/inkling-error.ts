/**
 * - `invalid_argument`: refused before anything was sent
 * - `unauthorized`: the key is missing or wrong
 * - `not_found`: no such route; the base URL is probably wrong
 * - `invalid_request`: any other refusal of what was sent, a malformed value included
 * - `rate_limited`: over the History limit; worth another try after about a second
 * - `blocked`: over the Management limit; every further try within ten minutes fails too
 * - `server_error`, `network`, `timeout`: worth another try later
 * - `unexpected_response`: answered, but not by the API this client knows
 * - `aborted`: the caller's signal
 * - `invalid_signature`: a webhook that none of the secrets signed
 * - `malformed_event`: a webhook that is signed and still no event
 */
export type InklingErrorCode =
  | 'invalid_argument'
  | 'unauthorized'
  | 'not_found'
  | 'invalid_request'
  | 'rate_limited'
  | 'blocked'
  | 'server_error'
  | 'network'
  | 'timeout'
  | 'unexpected_response'
  | 'aborted'
  | 'invalid_signature'
  | 'malformed_event'

export interface InklingErrorDetails extends ErrorOptions {
  /** HTTP status, when there was an answer. */
  status?: number
  /** What the server asked for in `Retry-After`, in milliseconds. */
  retryAfterMs?: number
}

const RETRYABLE: readonly InklingErrorCode[] = ['rate_limited', 'server_error', 'network', 'timeout']

/** The only error this package throws. Branch on `code`; the message is for a person. */
export class InklingError extends Error {
  readonly code: InklingErrorCode
  readonly status: number | undefined
  readonly retryAfterMs: number | undefined

  constructor(code: InklingErrorCode, message: string, details: InklingErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause })
    this.name = 'InklingError'
    this.code = code
    this.status = details.status
    this.retryAfterMs = details.retryAfterMs
  }

  /** Whether the same call may succeed later. */
  get retryable(): boolean {
    return RETRYABLE.includes(this.code)
  }
}
