import type { HistoryPage, HistoryRow, SearchType } from '@inkling/contract'
import type { JsonAnswer } from '../http/get-json.ts'
import { namesAccount, namesOne } from '../identifies-nobody.ts'
import { allRows } from './all-rows.ts'
import { readPage } from './read-page.ts'
import { searchPath } from './search-path.ts'

export interface SearchOptions {
  /** Rows on the page, 1 to 100. Default 20. */
  limit?: number
  /** Rows to leave out from the newest on. Default 0. */
  offset?: number
  signal?: AbortSignal
}

export interface RowsOptions {
  /** Rows per request, 1 to 100. Default 100. */
  pageSize?: number
  signal?: AbortSignal
}

export interface AccountsOptions {
  /** How many of the newest rows to look through. Default 1,000, which is ten requests. */
  rowsMax?: number
  signal?: AbortSignal
}

export interface History {
  /**
   * One page of identifications, newest first. UUIDs may be in either case, an `ip` is a dotted IPv4
   * address, a `user_hid` is exact and case-sensitive. Rows can repeat between pages: `rows` leaves the
   * repeats out.
   *
   * @example
   * const { data, total } = await inkling.history.search('user_hid', hash, { limit: 5 })
   */
  search(type: SearchType, value: string, options?: SearchOptions): Promise<HistoryPage>
  /**
   * Every identification of a search, newest first, each once. Asks for the next page when the last one is
   * used up; leaving the loop asks no further.
   *
   * @example
   * for await (const row of inkling.history.rows('device_id', deviceId)) console.log(row.created_at)
   */
  rows(type: SearchType, value: string, options?: RowsOptions): AsyncGenerator<HistoryRow, void, undefined>
  /**
   * The accounts seen on a device, each once, the latest first. Values that name no account are left out,
   * and the nil device, which is everybody without one, has none.
   */
  accountsOfDevice(deviceId: string, options?: AccountsOptions): AsyncGenerator<string, void, undefined>
}

const PAGE_SIZE = 20
const ACCOUNT_ROWS_MAX = 1_000

type Get = (path: string, signal: AbortSignal | undefined) => Promise<JsonAnswer>

export function historyOf(get: Get): History {
  const history: History = {
    async search(type, value, { limit = PAGE_SIZE, offset = 0, signal } = {}) {
      return readPage(await get(searchPath(type, value, { limit, offset }), signal))
    },

    rows: (type, value, { pageSize, signal } = {}) =>
      allRows((range) => history.search(type, value, { ...range, ...(signal && { signal }) }), pageSize),

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
