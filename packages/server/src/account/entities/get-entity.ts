import { Refusal } from '../../lib/refusal.ts'
import { entityRows } from '../../store/entity-rows.ts'
import { identifierLookup } from '../../store/identifier-lookup.ts'
import { findDomain } from '../find-domain.ts'
import type { Handler } from '../handler.ts'
import { summariseEntity } from './summarise-entity.ts'

/** Enough for anybody but a shared address, and read in a moment. */
const ROWS_MAX = 5_000

export const getEntity: Handler<'getEntity'> = async ({ params, query }, { store }) => {
  const { id } = await findDomain(store, params.domain)
  const { type, value } = query
  const rows = await entityRows(store.reads, id, identifierLookup(type, value), ROWS_MAX + 1)
  const summary = summariseEntity(rows.slice(0, ROWS_MAX))
  if (!summary) throw new Refusal('not_found', 'no identification has it')
  return { type, value, complete: rows.length <= ROWS_MAX, ...summary }
}
