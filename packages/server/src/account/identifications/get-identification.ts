import { Refusal } from '../../lib/refusal.ts'
import { identificationParts } from '../../store/identification-detail.ts'
import { searchStretch } from '../../store/identification-search.ts'
import { lookupOf } from '../../store/identifier-lookup.ts'
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
  if (!row) throw new Refusal('not_found', 'no such identification')
  return presentDetail(row, domain.name, await identificationParts(store.reads, row))
}
