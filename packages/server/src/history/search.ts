import { isUuid, SEARCH_TYPES } from '@inkling/contract'
import { malformedAddress, malformedUuid } from '../compat/answers.ts'
import { canonicalSegment, decodedSegment, isDotSegment, type SearchPath } from '../compat/raw-path.ts'
import { ipv4ToNumber } from '../lib/address.ts'
import { AppError } from '../lib/errors.ts'
import { withAliases } from '../store/devices/device-aliases.ts'
import { identificationStore, type Page } from '../store/identifications/identifications.ts'
import { type Lookup, lookupOf } from '../store/identifications/lookup.ts'
import type { Store } from '../store/store.ts'
import { readPaging } from './paging.ts'

/** What a search asks for: rows that match, all rows of the domain, or rows that cannot exist. */
type Filter = Lookup | 'everything' | 'nothing'

/**
 * Finds identifications of a domain and its subdomains, newest first.
 * @throws AppError `INK_INVALID_SEARCH` for a malformed value
 */
export async function searchHistory(
  { reads, inShare }: Store,
  domainId: number,
  { type, value, query }: SearchPath,
  paging = readPaging(query),
): Promise<Page> {
  const filter = readFilter(type, value)
  if (filter === 'nothing') return { rows: [], total: 0 }
  const lookup = filter === 'everything' ? undefined : filter
  return inShare(`domain ${domainId}`, async () => {
    const found = lookup && (await withAliases(reads, domainId, lookup))
    return identificationStore(reads).search(domainId, found, paging.limit, paging.offset)
  })
}

/** Reads type and value from path segments that are not decoded. An unknown type is no filter at all. */
function readFilter(type: string, segment: string): Filter {
  const searchType = SEARCH_TYPES.find((known) => known === type)
  if (!searchType) return 'everything'
  if (searchType === 'user_hid') {
    const text = canonicalSegment(segment)
    return isDotSegment(text) ? 'nothing' : lookupOf('user_hid', text)
  }
  const value = decodedSegment(segment)
  if (searchType === 'ip') {
    const address = ipv4ToNumber(value)
    if (address === undefined) throw new AppError('INK_INVALID_SEARCH', malformedAddress(value))
    // Rows without an address show 0.0.0.0 and cannot be searched by it.
    return address === 0 ? 'nothing' : lookupOf('ip', value)
  }
  if (!isUuid(value)) throw new AppError('INK_INVALID_SEARCH', malformedUuid(value))
  return lookupOf(searchType, value.toLowerCase())
}
