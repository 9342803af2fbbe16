import type { Paging } from '../lib/paging.ts'
import { uuidBytesOrNil } from '../lib/uuid.ts'
import {
  type identificationStore,
  type Lookup,
  type Page,
  requestIdColumn,
} from '../store/identifications/identifications.ts'
import type { SearchFilter } from './parse-search.ts'

export type Search = (domainId: number, filter: SearchFilter, paging: Paging) => Promise<Page>

/** Searches one domain's identifications, its subdomains' included. */
export const createSearch =
  (identifications: ReturnType<typeof identificationStore>): Search =>
  async (domainId, filter, { limit, offset }) => {
    if (filter.by === 'nothing') return { rows: [], total: 0 }
    return identifications.search(domainId, lookupOf(filter), limit, offset)
  }

function lookupOf(filter: Exclude<SearchFilter, { by: 'nothing' }>): Lookup {
  switch (filter.by) {
    case 'everything':
      return undefined
    case 'ip':
      return { column: 'ip', value: filter.address }
    case 'user_hid':
      return { column: 'user_hid', value: filter.text }
    case 'request_id':
      return { column: 'request_id', value: requestIdColumn(filter.uuid) }
    default:
      return { column: filter.by, value: uuidBytesOrNil(filter.uuid) }
  }
}
