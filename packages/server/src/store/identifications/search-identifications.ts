import type { Kysely } from 'kysely'
import type { Schema } from '../schema.ts'
import type { IdentificationRow } from './identifications.ts'
import {
  type Criteria,
  indexedRows,
  needsScan,
  type QueryCriteria,
  queriesOf,
  withNetworkRows,
  withScanCriteria,
} from './search-criteria.ts'
import {
  inDirection,
  inOrder,
  isUpTo,
  type Order,
  positionOf,
  type SearchPosition,
  scanEnd,
} from './search-order.ts'

export interface SearchPage {
  rows: IdentificationRow[]
  /** Where the next page starts; undefined at the end. */
  next: SearchPosition | undefined
}

export interface PageBounds {
  /** `next` of the previous page; undefined for the first one. */
  after: SearchPosition | undefined
  limit: number
  scanMax?: number
}

/**
 * Rows that one page scans for criteria without an index: measured 30 ms by time and 60 ms by score. A search for rare
 * rows takes several pages instead of blocking a reader thread.
 */
export const SCAN_MAX = 25_000

/**
 * One page of a search. It may have fewer rows than `limit`, or none, before the end: only `next` tells.
 */
export async function searchPage(
  db: Kysely<Schema>,
  domainId: number,
  criteria: Criteria,
  order: Order,
  bounds: PageBounds,
): Promise<SearchPage> {
  const queries = queriesOf(criteria)
  const { scanMax = SCAN_MAX } = bounds
  const each = { ...bounds, scanMax: Math.ceil(scanMax / queries.length) }
  const pages: SearchPage[] = []
  // One after the other, so that one search of many values takes one connection at a time.
  for (const query of queries) pages.push(await onePage(db, domainId, query, order, each))
  return mergePages(pages, order, bounds.limit)
}

/** The rows up to where the shortest of the pages ends. */
function mergePages(pages: readonly SearchPage[], order: Order, limit: number): SearchPage {
  const [only, another] = pages
  if (only && !another) return only
  const compare = inDirection(order)
  const [reached] = pages.flatMap(({ next }) => (next ? [next] : [])).sort(compare)
  const rows = pages
    .flatMap((page) => page.rows)
    .sort((a, b) => compare(positionOf(a, order), positionOf(b, order)))
    .filter((row) => !reached || compare(positionOf(row, order), reached) <= 0)
  const full = rows.length > limit ? rows[limit - 1] : undefined
  return { rows: rows.slice(0, limit), next: full ? positionOf(full, order) : reached }
}

async function onePage(
  db: Kysely<Schema>,
  domainId: number,
  given: QueryCriteria,
  order: Order,
  { after, limit, scanMax }: PageBounds & { scanMax: number },
): Promise<SearchPage> {
  const criteria = await withNetworkRows(db, domainId, given)
  const indexed = inOrder(indexedRows(db, domainId, criteria, order, after), order)
  const last = needsScan(criteria, order) ? await scanEnd(indexed, order, scanMax) : undefined
  const within = last ? indexed.where(isUpTo(order, last)) : indexed
  const rows = await withScanCriteria(db, within, criteria, order).selectAll().limit(limit).execute()
  const full = rows.length === limit ? rows.at(-1) : undefined
  return { rows, next: full ? positionOf(full, order) : last }
}
