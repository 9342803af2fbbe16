import { presentRow } from '../../history/present-row.ts'
import { positionSize, searchStretch } from '../../store/identifications/search-identifications.ts'
import { readCursor, writeCursor } from '../cursor.ts'
import { findDomain } from '../find-domain.ts'
import type { Handler } from '../handler.ts'
import { readCriteria, readOrder } from './read-filters.ts'

export const searchIdentifications: Handler<'searchIdentifications'> = async (
  { params, query },
  { store },
) => {
  const { id, name } = await findDomain(store, params.domain)
  const order = readOrder(query)
  const after = readCursor(query.cursor, positionSize(order))
  const page = { after, limit: query.limit }
  const { rows, next } = await searchStretch(store.reads, id, readCriteria(query), order, page)
  return { data: rows.map((row) => presentRow(row, name)), next: next ? writeCursor(next) : null }
}
