import { InklingError, type InklingErrorCode } from './inkling-error.ts'

export interface GetJsonOptions {
  url: string
  apiKey: string
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
  throw refusal(response, json)
}

async function send({ url, apiKey, fetch, timeoutMs, signal }: GetJsonOptions) {
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(url, {
      headers: { authorization: `Bearer ${apiKey}`, accept: 'application/json' },
      // A redirect would carry the key to a place nobody configured.
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    })
    return { response, text: await response.text() }
  } catch (cause) {
    if (signal?.aborted) throw new InklingError('aborted', 'aborted by the caller', { cause })
    if (timeout.aborted) throw new InklingError('timeout', `no answer within ${timeoutMs} ms`, { cause })
    throw new InklingError('network', 'the History API could not be reached', { cause })
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function refusal(response: Response, json: unknown): InklingError {
  const reason = errorText(json)
  const code = codeOf(response.status, reason)
  const message = `History API answered ${response.status}${reason ? `: ${reason}` : ''}`
  const retryAfterMs = retryAfter(response.headers.get('retry-after'))
  return new InklingError(code, message, {
    status: response.status,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
  })
}

function codeOf(status: number, reason: string): InklingErrorCode {
  if (status === 401) return 'unauthorized'
  if (status === 429) return 'rate_limited'
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
