import type { Explanation, HistoryPage, HistoryRow, SearchType } from '@inkling/contract'
import { getJson, type JsonAnswer } from './get-json.ts'
import { InklingError } from './inkling-error.ts'
import { pollVerdict } from './poll-verdict.ts'
import { type RetryOptions, realSleep, type Sleep, withRetry } from './retry.ts'
import { searchPath, uuidSegment } from './search-path.ts'

export interface ClientOptions {
  /** Host root of the History API, without `/api`. */
  historyUrl: string
  /** The Private API Key (`sec_…`). It stays on your server. */
  apiKey: string
  retry?: RetryOptions
  /** How long one request may take. */
  requestTimeoutMs?: number
  fetch?: typeof globalThis.fetch
  /** Time, for tests. */
  sleep?: Sleep
  now?: () => number
}

export interface VerdictOptions {
  /** How long to keep asking; 0 asks once. */
  timeoutMs?: number
  signal?: AbortSignal
}

export interface SearchOptions {
  /** 1 to 100. */
  limit?: number
  offset?: number
  signal?: AbortSignal
}

export interface Client {
  /**
   * The row of one identification, asked for until it is there. `undefined` means "not scored by the
   * deadline": treat the visit as unverified, never as clean.
   */
  verdict(requestId: string, options?: VerdictOptions): Promise<HistoryRow | undefined>
  /** One page of identifications, newest first. Rows can repeat between pages: deduplicate on request_id. */
  search(type: SearchType, value: string, options?: SearchOptions): Promise<HistoryPage>
  /** Why an identification was scored as it was; `undefined` when it is unknown. */
  explain(requestId: string, options?: { signal?: AbortSignal }): Promise<Explanation | undefined>
}

const REQUEST_TIMEOUT_MS = 5_000
const VERDICT_TIMEOUT_MS = 10_000
const PAGE_SIZE = 20

/** A client of the History API. */
export function createClient({
  historyUrl,
  apiKey,
  retry = {},
  requestTimeoutMs = REQUEST_TIMEOUT_MS,
  fetch = globalThis.fetch,
  sleep = realSleep,
  now = Date.now,
}: ClientOptions): Client {
  const base = baseUrl(historyUrl)
  if (!apiKey) throw new InklingError('invalid_argument', 'apiKey is missing')

  const get = (path: string, signal: AbortSignal | undefined, timeoutMs = requestTimeoutMs) =>
    getJson({ url: base + path, apiKey, fetch, timeoutMs, signal })
  const getPatiently = (path: string, signal: AbortSignal | undefined) =>
    withRetry(
      () => get(path, signal),
      retry,
      (ms) => sleep(ms, signal),
    )

  return {
    async verdict(requestId, { timeoutMs = VERDICT_TIMEOUT_MS, signal } = {}) {
      const id = uuidSegment('request_id', requestId)
      const path = searchPath('request_id', id, { limit: 1, offset: 0 })
      const ask = async (remainingMs: number) => {
        const page = readPage(await get(path, signal, Math.min(remainingMs, requestTimeoutMs)))
        // Someone else's row must never pass for this one, whatever answers at that address.
        return page.data.find((row) => row.request_id === id)
      }
      return pollVerdict(ask, { timeoutMs, now, sleep: (ms) => sleep(ms, signal) })
    },

    async search(type, value, { limit = PAGE_SIZE, offset = 0, signal } = {}) {
      return readPage(await getPatiently(searchPath(type, value, { limit, offset }), signal))
    },

    async explain(requestId, { signal } = {}) {
      const id = uuidSegment('request_id', requestId)
      const answer = await getPatiently(`/api/v1/explanation/${id}`, signal)
      if (answer.status === 200) return readExplanation(answer)
      // An unknown identification is answered in JSON, an unknown route in plain text.
      if (answer.json !== undefined) return undefined
      throw new InklingError('not_found', 'no explanations at this historyUrl', { status: 404 })
    },
  }
}

function baseUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
    throw new InklingError('invalid_argument', 'historyUrl must be an http or https URL')
  }
  return text.replace(/\/+$/, '')
}

/** Readers are lenient: only what this client itself relies on is checked. */
function readPage({ status, json }: JsonAnswer): HistoryPage {
  if (status === 404) throw new InklingError('not_found', 'no History API at this historyUrl', { status })
  if (!isPage(json)) throw new InklingError('unexpected_response', 'not a page of History rows', { status })
  return json
}

function isPage(json: unknown): json is HistoryPage {
  return (
    typeof json === 'object' &&
    json !== null &&
    'total' in json &&
    typeof json.total === 'number' &&
    'data' in json &&
    Array.isArray(json.data) &&
    json.data.every(isRow)
  )
}

function isRow(json: unknown): json is HistoryRow {
  return (
    typeof json === 'object' &&
    json !== null &&
    'request_id' in json &&
    typeof json.request_id === 'string' &&
    'score' in json &&
    typeof json.score === 'number'
  )
}

function readExplanation({ status, json }: JsonAnswer): Explanation {
  if (!isExplanation(json)) throw new InklingError('unexpected_response', 'not an explanation', { status })
  return json
}

function isExplanation(json: unknown): json is Explanation {
  return (
    typeof json === 'object' &&
    json !== null &&
    'entries' in json &&
    Array.isArray(json.entries) &&
    'clear' in json &&
    Array.isArray(json.clear) &&
    'unknown' in json &&
    Array.isArray(json.unknown)
  )
}
