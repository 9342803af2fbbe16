import {
  type Assessment,
  type AssessRequest,
  type Explanation,
  type HistoryRow,
  isUuid,
  type Label,
  type LabelDraft,
  namesOne,
} from '@inkling/contract'
import {
  DECIDE_WAIT_MS,
  type DecidedVisit,
  type DecideOptions,
  questionOf,
  readDecision,
  readLabel,
} from './decide-visit.ts'
import { type History, historyOf, readAssessment, readExplanation, readPage } from './history.ts'
import { InklingError } from './inkling-error.ts'
import { pollVerdict } from './poll-verdict.ts'
import { baseUrl, getJson, REQUEST_TIMEOUT_MS, type TransportOptions } from './request.ts'
import { realSleep, withRetry } from './retry.ts'
import { searchPath, uuidSegment } from './search-path.ts'
import { type MissingVerdict, type RateLimitedVerdict, type ScoredVerdict, verdictOfRow } from './verdict.ts'

export interface ClientOptions extends TransportOptions {
  /** Root of the host that serves the History API, without `/api`. */
  historyUrl: string
  /** The Private API Key (`sec_…`). Keep it on your server. */
  apiKey: string
}

export interface VerdictOptions {
  /** How long to wait for a row, in milliseconds; 0 asks once. Default 10,000: no row comes later than that. */
  timeoutMs?: number
  signal?: AbortSignal
}

/** A verdict with the row it was read from. */
export type PolledVerdict = ((ScoredVerdict | RateLimitedVerdict) & { row: HistoryRow }) | MissingVerdict

export interface Client {
  /**
   * The verdict on one identification, once there is one. Pass what the page sent: anything that is not a
   * request ID is `unverified`, without a request.
   *
   * @example
   * const verdict = await inkling.verdict(form.request_id, { timeoutMs: 3_000 })
   * if (verdict.status !== 'scored') return askForASecondFactor()
   *
   * @throws InklingError when the History API refuses the key, or never answers
   */
  verdict(requestId: string, options?: VerdictOptions): Promise<PolledVerdict>
  /** What a score is made of; `undefined` for an unknown identification. */
  explain(requestId: string, options?: { signal?: AbortSignal }): Promise<Explanation | undefined>
  /**
   * What a request to your own site shows, before any page has run: the program that it declares, your rule for it, and
   * whether it fits the client that it claims to be from. Asks once, because your visitor waits.
   *
   * @example
   * const { agent, action } = await inkling.assess(edgeRequestOfNode(request, { address, origin: 'https://shop.example' }))
   *
   * @throws InklingError when there is no answer in time
   */
  assess(request: AssessRequest, options?: { timeoutMs?: number; signal?: AbortSignal }): Promise<Assessment>
  /**
   * What to do about a visit, by the lists and rules of the domain. The server waits for the identification, and answers
   * once for each visit and purpose.
   *
   * @example
   * const decided = await inkling.decide(form.request_id, { purpose: 'signup', clientAddress })
   * if (decided.status !== 'decided' || decided.action !== 'allow') return askForASecondFactor()
   *
   * @throws InklingError when there is no answer in time
   */
  decide(requestId: string, options: DecideOptions): Promise<DecidedVisit>
  /** Says what you found out about a visitor, such as a chargeback. It changes no score and no decision. */
  label(label: LabelInput, options?: { signal?: AbortSignal }): Promise<Label>
  history: History
}

/** A label without what has a default. */
export type LabelInput = Omit<LabelDraft, 'note'> & { note?: string }

/** An answer takes a few milliseconds; a visitor should not wait for a server that has none. */
const ASSESSED_WITHIN_MS = 1_000

/** The follow-up checks of the server hold a row for this long at most. */
const SCORED_WITHIN_MS = 10_000

/**
 * A client of the History API.
 *
 * @example
 * const inkling = createClient({ historyUrl: 'http://localhost:8080', apiKey: process.env.INKLING_API_KEY ?? '' })
 *
 * @throws InklingError `invalid_argument` without a key or with an unusable address
 */
export function createClient({
  historyUrl,
  apiKey,
  retry = {},
  requestTimeoutMs = REQUEST_TIMEOUT_MS,
  fetch = globalThis.fetch,
  sleep = realSleep,
  random = Math.random,
  now = Date.now,
}: ClientOptions): Client {
  const base = baseUrl('historyUrl', historyUrl)
  if (!apiKey) throw new InklingError('invalid_argument', 'apiKey is missing')
  const headers = { authorization: `Bearer ${apiKey}` }

  const get = (path: string, signal: AbortSignal | undefined, timeoutMs = requestTimeoutMs) =>
    getJson({ api: 'History', url: base + path, headers, fetch, timeoutMs, signal })
  const getWithRetry = (path: string, signal: AbortSignal | undefined) =>
    withRetry(() => get(path, signal), retry, { sleep: (ms) => sleep(ms, signal), random })

  return {
    async verdict(requestId, { timeoutMs = SCORED_WITHIN_MS, signal } = {}) {
      // Visits over the rate limit have the nil ID when their own was malformed, so it names no single visit.
      if (typeof requestId !== 'string' || !isUuid(requestId) || !namesOne(requestId))
        return { status: 'unverified', requestId }
      const id = requestId.toLowerCase()
      const path = searchPath('request_id', id, { limit: 1, offset: 0 })
      const ask = async (remainingMs: number) => {
        const page = readPage(await get(path, signal, Math.min(remainingMs, requestTimeoutMs)))
        // Never trust the server that far: the row of another identification must not pass for this one.
        return page.data.find((row) => row.request_id === id)
      }
      const waiting = { timeoutMs, now, sleep: (ms: number) => sleep(ms, signal), random }
      const result = await pollVerdict(ask, waiting)
      if (result.row) return { ...verdictOfRow(result.row), row: result.row }
      const isOver = timeoutMs >= SCORED_WITHIN_MS && result.answeredAtDeadline
      return { status: isOver ? 'unverified' : 'not_scored_yet', requestId: id }
    },

    async explain(requestId, { signal } = {}) {
      const id = uuidSegment('request_id', requestId)
      return readExplanation(await getWithRetry(`/api/v1/explanation/${id}`, signal))
    },

    async assess(request, { timeoutMs = ASSESSED_WITHIN_MS, signal } = {}) {
      const url = `${base}/api/v1/assess`
      return readAssessment(
        await getJson({ api: 'History', url, headers, body: request, fetch, timeoutMs, signal }),
      )
    },

    async decide(requestId, options) {
      if (typeof requestId !== 'string' || !isUuid(requestId) || !namesOne(requestId))
        return { status: 'unverified', requestId }
      const id = requestId.toLowerCase()
      // One key for all tries: a repeated question has the same answer.
      const body = questionOf(id, options)
      const { signal } = options
      const timeoutMs = requestTimeoutMs + (options.waitMs ?? DECIDE_WAIT_MS)
      const url = `${base}/api/v1/decide`
      const answer = await withRetry(
        () => getJson({ api: 'History', url, headers, body, fetch, timeoutMs, signal, answers: [409] }),
        retry,
        { sleep: (ms) => sleep(ms, signal), random },
      )
      return readDecision(answer, id)
    },

    async label(label, { signal } = {}) {
      const url = `${base}/api/v1/labels`
      const timeoutMs = requestTimeoutMs
      // Sent again, it is the same label.
      const answer = await withRetry(
        () => getJson({ api: 'History', url, headers, body: label, fetch, timeoutMs, signal }),
        retry,
        { sleep: (ms) => sleep(ms, signal), random },
      )
      return readLabel(answer)
    },

    history: historyOf(getWithRetry),
  }
}
