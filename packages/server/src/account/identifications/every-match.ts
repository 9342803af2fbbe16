import type { Kysely } from 'kysely'
import type { IdentificationRow } from '../../store/identifications/identifications.ts'
import {
  type Criteria,
  type Order,
  type Position,
  searchStretch,
} from '../../store/identifications/search-identifications.ts'
import type { Schema } from '../../store/schema.ts'

/** Rows in memory at a time. */
const STRETCH = 500

/** Every match, read as fast as it is taken and no faster. */
export async function* everyMatch(
  db: Kysely<Schema>,
  domainId: number,
  criteria: Criteria,
  order: Order,
): AsyncGenerator<IdentificationRow[]> {
  let after: Position | undefined
  do {
    const { rows, next } = await searchStretch(db, domainId, criteria, order, { after, limit: STRETCH })
    if (rows.length > 0) yield rows
    after = next
  } while (after)
}
