import { InklingError, type InklingErrorCode } from './inkling-error.ts'
import type { RetryOptions, Sleep } from './retry.ts'

/** How requests are sent. */
export interface TransportOptions {
  retry?: RetryOptions
  /** How long one request may take, in milliseconds. Default 5,000. */
  requestTimeoutMs?: number
  /** Default: the runtime's own. */
  fetch?: typeof globalThis.fetch
  /** Time and chance, for tests. */
  sleep?: Sleep
  random?: () => number
  now?: () => number
}

export const REQUEST_TIMEOUT_MS = 5_000

export interface GetJsonOptions {
  /** For messages, and for the meaning of a 429. */
  api: 'History' | 'Management'
  url: string
  headers: Record<string, string>
  /** Makes it a POST. */
  body?: object
  /** Statuses that are answers as well, beside 200 and 404. */
  answers?: readonly number[]
  fetch: typeof globalThis.fetch
  timeoutMs: number
  signal?: AbortSignal | undefined
}

export interface JsonAnswer {
  status: number
  /** Undefined when the body is not JSON. The content type is not looked at: the History API sends errors as text. */
  json: unknown
}

/** The API answers a malformed UUID or address with a 500 of this text. Retrying that is pointless. */
const MALFORMED_VALUE = /^code: \d+, message: Cannot (?:convert|parse) string/

/** Sends one GET, or one POST of a body. Returns a 200, a 404 or what `answers` has; throws for any other status and for none. */
export async function getJson(options: GetJsonOptions): Promise<JsonAnswer> {
  const { response, text } = await send(options)
  const json = parseJson(text)
  if ([200, 404, ...(options.answers ?? [])].includes(response.status))
    return { status: response.status, json }
  throw refusal(options.api, response, json)
}

async function send({ api, url, headers, body, fetch, timeoutMs, signal }: GetJsonOptions) {
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(url, {
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      headers: {
        ...headers,
        accept: 'application/json',
        ...(body && { 'content-type': 'application/json' }),
      },
      // A redirect would send the key to a host that nobody configured.
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    })
    return { response, text: await response.text() }
  } catch (cause) {
    if (signal?.aborted) throw new InklingError('aborted', 'aborted by the caller', { cause })
    if (timeout.aborted) throw new InklingError('timeout', `no answer within ${timeoutMs} ms`, { cause })
    throw new InklingError('network', `the ${api} API could not be reached`, { cause })
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function refusal(api: GetJsonOptions['api'], response: Response, json: unknown): InklingError {
  const reason = errorText(json)
  const retryAfterMs = retryAfter(response.headers.get('retry-after'))
  const message = `${api} API answered ${response.status}${reason ? `: ${reason}` : ''}`
  return new InklingError(codeOf(api, response.status, reason), message, {
    status: response.status,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  })
}

function codeOf(api: GetJsonOptions['api'], status: number, reason: string): InklingErrorCode {
  if (status === 401) return 'unauthorized'
  if (status === 429) return api === 'History' ? 'rate_limited' : 'blocked'
  if (status === 500 && MALFORMED_VALUE.test(reason)) return 'invalid_request'
  if (status >= 500) return 'server_error'
  return status >= 400 ? 'invalid_request' : 'unexpected_response'
}

function errorText(json: unknown): string {
  const isObject = typeof json === 'object' && json !== null && 'error' in json
  return isObject && typeof json.error === 'string' ? json.error : ''
}

/** Milliseconds. The form with a date is ignored, since it needs clocks that agree. */
function retryAfter(header: string | null): number | undefined {
  return header && /^\d{1,6}$/.test(header) ? Number(header) * 1_000 : undefined
}

/** The URL that paths are appended to. A query or fragment would swallow them. */
export function baseUrl(option: string, text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const usable = (url?.protocol === 'http:' || url?.protocol === 'https:') && !/[?#]/.test(text)
  if (!usable) throw new InklingError('invalid_argument', `${option} must be an http or https URL`)
  return text.replace(/\/+$/, '')
}
