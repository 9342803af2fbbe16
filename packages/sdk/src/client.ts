import type { Explanation, HistoryRow } from '@inkling/contract'
import { type History, historyOf } from './history/history.ts'
import { readExplanation } from './history/read-explanation.ts'
import { readPage } from './history/read-page.ts'
import { isUuid, searchPath, uuidSegment } from './history/search-path.ts'
import { baseUrl } from './http/base-url.ts'
import { getJson } from './http/get-json.ts'
import { type RetryOptions, withRetry } from './http/retry.ts'
import { realSleep, type Sleep } from './http/sleep.ts'
import { namesOne } from './identifies-nobody.ts'
import { InklingError } from './inkling-error.ts'
import { pollVerdict } from './verdict/poll-verdict.ts'
import {
  type MissingVerdict,
  type RateLimitedVerdict,
  type ScoredVerdict,
  verdictOfRow,
} from './verdict/verdict.ts'

export interface TransportOptions {
  retry?: RetryOptions
  /** How long one request may take, in milliseconds. Default 5,000. */
  requestTimeoutMs?: number
  /** Default: the runtime's own. */
  fetch?: typeof globalThis.fetch
  /** Time, for tests. */
  sleep?: Sleep
  now?: () => number
}

export interface ClientOptions extends TransportOptions {
  /** Host root of the History API, without `/api`. */
  historyUrl: string
  /** The Private API Key (`sec_…`). It stays on your server. */
  apiKey: string
}

export interface VerdictOptions {
  /** How long to keep asking, in milliseconds; 0 asks once. Default 10,000, after which no row will come. */
  timeoutMs?: number
  signal?: AbortSignal
}

/** A verdict with the row it was read from. */
export type PolledVerdict = ((ScoredVerdict | RateLimitedVerdict) & { row: HistoryRow }) | MissingVerdict

export interface Client {
  /**
   * The verdict of one identification, asked for until it is there. Give it what the page sent: a request
   * ID that is none is `unverified`, and nothing is asked.
   *
   * @example
   * const verdict = await inkling.verdict(form.request_id, { timeoutMs: 3_000 })
   * if (verdict.status !== 'scored') return askForASecondFactor()
   *
   * @throws InklingError when the History API could not be asked at all, or refused the key
   */
  verdict(requestId: string, options?: VerdictOptions): Promise<PolledVerdict>
  /** Why an identification was scored as it was; `undefined` when it is unknown. */
  explain(requestId: string, options?: { signal?: AbortSignal }): Promise<Explanation | undefined>
  history: History
}

export const REQUEST_TIMEOUT_MS = 5_000
/** A row appears within 3 seconds, and within 10 where follow-up checks hold it. */
const SCORED_WITHIN_MS = 10_000

/**
 * A client of the History API.
 *
 * @example
 * const inkling = createClient({ historyUrl: 'http://localhost:8080', apiKey: process.env.INKLING_API_KEY ?? '' })
 *
 * @throws InklingError `invalid_argument` for a missing key or an unusable address
 */
export function createClient({
  historyUrl,
  apiKey,
  retry = {},
  requestTimeoutMs = REQUEST_TIMEOUT_MS,
  fetch = globalThis.fetch,
  sleep = realSleep,
  now = Date.now,
}: ClientOptions): Client {
  const base = baseUrl('historyUrl', historyUrl)
  if (!apiKey) throw new InklingError('invalid_argument', 'apiKey is missing')
  const headers = { authorization: `Bearer ${apiKey}` }

  const get = (path: string, signal: AbortSignal | undefined, timeoutMs = requestTimeoutMs) =>
    getJson({ api: 'History', url: base + path, headers, fetch, timeoutMs, signal })
  const getPatiently = (path: string, signal: AbortSignal | undefined) =>
    withRetry(
      () => get(path, signal),
      retry,
      (ms) => sleep(ms, signal),
    )

  return {
    async verdict(requestId, { timeoutMs = SCORED_WITHIN_MS, signal } = {}) {
      // The nil ID is on every marker whose own was malformed: it is nobody's.
      if (!isUuid(requestId) || !namesOne(requestId)) return { status: 'unverified', requestId }
      const id = requestId.toLowerCase()
      const path = searchPath('request_id', id, { limit: 1, offset: 0 })
      const ask = async (remainingMs: number) => {
        const page = readPage(await get(path, signal, Math.min(remainingMs, requestTimeoutMs)))
        // Someone else's row must never pass for this one, whatever answers at that address.
        return page.data.find((row) => row.request_id === id)
      }
      const result = await pollVerdict(ask, { timeoutMs, now, sleep: (ms) => sleep(ms, signal) })
      if (result.row) return { ...verdictOfRow(result.row), row: result.row }
      const gaveTime = timeoutMs >= SCORED_WITHIN_MS && result.answeredAtDeadline
      return { status: gaveTime ? 'unverified' : 'not_scored_yet', requestId: id }
    },

    async explain(requestId, { signal } = {}) {
      const id = uuidSegment('request_id', requestId)
      return readExplanation(await getPatiently(`/api/v1/explanation/${id}`, signal))
    },

    history: historyOf(getPatiently),
  }
}
