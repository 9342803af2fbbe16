import {
  type Assessment,
  type Explanation,
  type HistoryPage,
  type HistoryRow,
  namesAccount,
  namesOne,
  type SearchType,
} from '@inkling/contract'
import { InklingError } from './inkling-error.ts'
import type { JsonAnswer } from './request.ts'
import { searchPath } from './search-path.ts'

export interface SearchOptions {
  /** Rows on the page, 1 to 100. Default 20. */
  limit?: number
  /** Rows to skip, from the newest on. Default 0. */
  offset?: number
  signal?: AbortSignal
}

export interface RowsOptions {
  /** Rows per request, 1 to 100. Default 100. */
  pageSize?: number
  signal?: AbortSignal
}

export interface AccountsOptions {
  /** How many of the newest rows to read. Default 1,000, which takes ten requests. */
  rowsMax?: number
  signal?: AbortSignal
}

export interface History {
  /**
   * One page of identifications, newest first. UUIDs may be in either case, an `ip` is dotted IPv4, and a
   * `user_hid` must be exact. A row can be on two pages when new ones arrive meanwhile: `rows` leaves out
   * the repetition.
   *
   * @example
   * const { data, total } = await inkling.history.search('user_hid', hash, { limit: 5 })
   */
  search(type: SearchType, value: string, options?: SearchOptions): Promise<HistoryPage>
  /**
   * All identifications of a search, newest first, each once. Reads a page when the loop needs it.
   *
   * @example
   * for await (const row of inkling.history.rows('device_id', deviceId)) console.log(row.created_at)
   */
  rows(type: SearchType, value: string, options?: RowsOptions): AsyncGenerator<HistoryRow, void, undefined>
  /** The accounts that used a device, latest first, each once. The nil device belongs to nobody and has none. */
  accountsOfDevice(deviceId: string, options?: AccountsOptions): AsyncGenerator<string, void, undefined>
}

const PAGE_SIZE = 20
const PAGE_SIZE_MAX = 100
const ACCOUNT_ROWS_MAX = 1_000

type Get = (path: string, signal: AbortSignal | undefined) => Promise<JsonAnswer>

export function historyOf(get: Get): History {
  const history: History = {
    async search(type, value, { limit = PAGE_SIZE, offset = 0, signal } = {}) {
      return readPage(await get(searchPath(type, value, { limit, offset }), signal))
    },

    async *rows(type, value, { pageSize = PAGE_SIZE_MAX, signal } = {}) {
      // A row that arrives meanwhile pushes the last one onto the next page.
      const seen = new Set<string>()
      for (let offset = 0; ; ) {
        const path = searchPath(type, value, { limit: pageSize, offset })
        const { data, total } = readPage(await get(path, signal))
        for (const row of data) {
          const key = rowKey(row)
          if (seen.has(key)) continue
          seen.add(key)
          yield row
        }
        offset += data.length
        if (data.length === 0 || offset >= total) return
      }
    },

    async *accountsOfDevice(deviceId, { rowsMax = ACCOUNT_ROWS_MAX, signal } = {}) {
      if (!namesOne(deviceId)) return
      const seen = new Set<string>()
      let rows = 0
      for await (const { user_hid } of history.rows('device_id', deviceId, signal && { signal })) {
        if (namesAccount(user_hid) && !seen.has(user_hid)) {
          seen.add(user_hid)
          yield user_hid
        }
        rows += 1
        if (rows >= rowsMax) return
      }
    },
  }
  return history
}

/** Rate-limited visits with a malformed request ID all have the nil UUID, and are still different rows. */
const rowKey = (row: HistoryRow): string =>
  namesOne(row.request_id) ? row.request_id : `${row.created_at} ${row.ver} ${row.ip}`

/** The page in an answer. Only the fields that this package uses are checked. */
export function readPage({ status, json }: JsonAnswer): HistoryPage {
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

/** The explanation in an answer. JSON in a 404 is for an unknown identification, plain text for an unknown route. */
export function readExplanation({ status, json }: JsonAnswer): Explanation | undefined {
  if (status === 404 && json !== undefined) return undefined
  if (status === 404) throw new InklingError('not_found', 'no explanations at this historyUrl', { status })
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

/** The assessment in an answer. */
export function readAssessment({ status, json }: JsonAnswer): Assessment {
  if (status === 404) throw new InklingError('not_found', 'no assessments at this historyUrl', { status })
  if (!isAssessment(json)) throw new InklingError('unexpected_response', 'not an assessment', { status })
  return json
}

const isAssessment = (json: unknown): json is Assessment =>
  typeof json === 'object' && json !== null && 'assessment_id' in json && 'action' in json && 'score' in json
