/**
 * - `invalid_argument`: refused before a request was sent
 * - `unauthorized`: the key is missing or wrong
 * - `not_found`: no such route, so the base URL is probably wrong
 * - `invalid_request`: any other refusal, for example of a malformed value
 * - `rate_limited`: over the limit of the History API
 * - `blocked`: over the limit of the Management API, for ten minutes
 * - `server_error`, `network`, `timeout`: may pass
 * - `unexpected_response`: another server answered, or another version of the API
 * - `aborted`: by your signal
 * - `invalid_signature`: none of the secrets signed the webhook
 * - `malformed_event`: the webhook is signed, but holds no event
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
  /** HTTP status, if there was an answer. */
  status?: number
  /** The wait that the server asked for in `Retry-After`, in milliseconds. */
  retryAfterMs?: number
}

const RETRYABLE: readonly InklingErrorCode[] = ['rate_limited', 'server_error', 'network', 'timeout']

/** The only error of this package. Branch on `code`: messages may change. */
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
