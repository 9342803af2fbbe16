import { InklingError, type InklingErrorCode } from '../inkling-error.ts'

export interface GetJsonOptions {
  /** Which API this is, for messages and for what a 429 means. */
  api: 'History' | 'Management'
  url: string
  headers: Record<string, string>
  fetch: typeof globalThis.fetch
  timeoutMs: number
  signal?: AbortSignal | undefined
}

export interface JsonAnswer {
  status: number
  /** Undefined when the body is not JSON, whatever its content type says. */
  json: unknown
}

/** The API's way to say that a UUID or address in the path is malformed: trying again is pointless. */
const MALFORMED_VALUE = /^code: \d+, message: Cannot (?:convert|parse) string/

/** One GET. Answers 200 and 404; any other status, and silence, is an error. */
export async function getJson(options: GetJsonOptions): Promise<JsonAnswer> {
  const { response, text } = await send(options)
  const json = parse(text)
  if (response.status === 200 || response.status === 404) return { status: response.status, json }
  throw refusal(options.api, response, json)
}

async function send({ api, url, headers, fetch, timeoutMs, signal }: GetJsonOptions) {
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(url, {
      headers: { ...headers, accept: 'application/json' },
      // A redirect would carry the key to a place nobody configured.
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

function parse(text: string): unknown {
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

/** Only the form in seconds: the form with a date needs clocks that agree. */
function retryAfter(header: string | null): number | undefined {
  return header && /^\d{1,6}$/.test(header) ? Number(header) * 1_000 : undefined
}
