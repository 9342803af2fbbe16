import { AppError } from '../../lib/errors.ts'
import { identificationParts } from '../../store/identifications/identifications.ts'
import { lookupOf } from '../../store/identifications/lookup.ts'
import { searchStretch } from '../../store/identifications/search-identifications.ts'
import { findDomain } from '../find-domain.ts'
import type { Handler } from '../handler.ts'
import { presentDetail } from './present-detail.ts'
import { readOrder } from './read-filters.ts'

export const getIdentification: Handler<'getIdentification'> = async ({ params }, { store }) => {
  const domain = await findDomain(store, params.domain)
  const criteria = { lookups: [lookupOf('request_id', params.request_id)], equal: {} }
  const page = { after: undefined, limit: 1 }
  const order = readOrder({ sort: 'newest' })
  const [row] = (await searchStretch(store.reads, domain.id, criteria, order, page)).rows
  if (!row) throw new AppError('INK_NOT_FOUND', 'no such identification')
  return presentDetail(row, domain.name, await identificationParts(store.reads, row))
}
