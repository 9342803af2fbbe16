import type { HistoryPage, HistoryRow } from '@inkling/contract'
import { namesOne } from '../identifies-nobody.ts'

/** The most that the API gives at once. */
const PAGE_SIZE_MAX = 100

/**
 * Every row of a search, newest first, each once. Rows that arrive while paging push others onto the next
 * page, so what was already given is left out.
 */
export async function* allRows(
  readPageAt: (range: { limit: number; offset: number }) => Promise<HistoryPage>,
  pageSize: number = PAGE_SIZE_MAX,
): AsyncGenerator<HistoryRow, void, undefined> {
  const given = new Set<string>()
  for (let offset = 0; ; ) {
    const { data, total } = await readPageAt({ limit: pageSize, offset })
    for (const row of data) {
      const key = rowKey(row)
      if (given.has(key)) continue
      given.add(key)
      yield row
    }
    offset += data.length
    if (data.length === 0 || offset >= total) return
  }
}

/** Markers whose request ID was malformed all carry the nil UUID, and are still different rows. */
const rowKey = (row: HistoryRow): string =>
  namesOne(row.request_id) ? row.request_id : `${row.created_at} ${row.ver} ${row.ip}`
