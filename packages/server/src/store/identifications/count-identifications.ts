import type { Kysely } from 'kysely'
import type { Schema } from '../schema.ts'
import {
  type Criteria,
  indexedRows,
  needsScan,
  type QueryCriteria,
  queriesOf,
  withNetworkRows,
  withScanCriteria,
} from './search-criteria.ts'
import { SCAN_MAX } from './search-identifications.ts'
import { inOrder, isUpTo, type Order, type Rows, type SearchPosition, scanEnd } from './search-order.ts'

export interface MatchCount {
  total: number
  /** Whether these are all. */
  complete: boolean
}

interface CountBounds {
  /** Beyond this a count says no more. */
  countMax?: number
  /** Rows that one statement scans, so that no reader thread is busy for long. */
  scanMax?: number
  scans?: number
}

/** How many rows the criteria find: of many, or of rows that no index finds, at least so many. */
export async function countMatches(
  db: Kysely<Schema>,
  domainId: number,
  criteria: Criteria,
  bounds: CountBounds = {},
): Promise<MatchCount> {
  const { countMax = 10_000, scanMax = SCAN_MAX, scans = 4 } = bounds
  const queries = queriesOf(criteria)
  const each = { scanMax: Math.ceil(scanMax / queries.length), scans }
  let total = 0
  let complete = true
  for (const query of queries) {
    const count = await countOne(db, domainId, query, { ...each, countMax: countMax - total })
    total += count.total
    complete &&= count.complete
    if (total > countMax) break
  }
  return { total: Math.min(total, countMax), complete }
}

async function countOne(
  db: Kysely<Schema>,
  domainId: number,
  given: QueryCriteria,
  { countMax, scanMax, scans }: Required<CountBounds>,
): Promise<MatchCount> {
  const criteria = await withNetworkRows(db, domainId, given)
  const order = countingOrder(criteria)
  let total = 0
  let after: SearchPosition | undefined
  for (let scan = 0; scan < scans; scan += 1) {
    const indexed = inOrder(indexedRows(db, domainId, criteria, order, after), order)
    const last = needsScan(criteria, order) ? await scanEnd(indexed, order, scanMax) : undefined
    const within = last ? indexed.where(isUpTo(order, last)) : indexed
    // One more than is counted tells that there are more.
    total += await countRows(db, withScanCriteria(db, within, criteria, order), countMax + 1 - total)
    if (total > countMax || !last) return { total, complete: total <= countMax }
    after = last
  }
  return { total, complete: false }
}

/** The index of scores finds those of a range alone; that of times those between two times. */
const countingOrder = ({ scoreMin, scoreMax, fromMs, toMs }: QueryCriteria): Order => {
  const hasScore = scoreMin !== undefined || scoreMax !== undefined
  const hasTime = fromMs !== undefined || toMs !== undefined
  return { by: hasScore && !hasTime ? 'score' : 'time', direction: 'desc' }
}

async function countRows(db: Kysely<Schema>, rows: Rows, limit: number): Promise<number> {
  const { count } = await db
    .selectFrom(rows.select('id').limit(limit).as('some'))
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}
