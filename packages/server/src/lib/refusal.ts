const STATUS = {
  invalid_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  too_large: 413,
  rate_limited: 429,
  server_busy: 503,
} as const

export type RefusalCode = keyof typeof STATUS

/** A refusal the caller may read. Anything else that is thrown is our fault and becomes a blank 500. */
export class Refusal extends Error {
  readonly code: RefusalCode
  /** `options.cause` is for the log, never for the caller. */
  constructor(code: RefusalCode, publicMessage: string, options?: ErrorOptions) {
    super(publicMessage, options)
    this.code = code
  }
  get status(): number {
    return STATUS[this.code]
  }
}
