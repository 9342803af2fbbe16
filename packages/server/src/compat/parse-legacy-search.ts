import { isIP } from 'node:net'
import { isUuid, SEARCH_TYPES } from '@inkling/contract'
import { ipv4ToNumber } from '../lib/ipv4-number.ts'
import { uuidBytesOrNil } from '../lib/uuid.ts'
import { type Lookup, requestIdColumn } from '../store/identifications/identifications.ts'
import { canonicalSegment } from './canonical-segment.ts'

export type LegacySearch =
  | { found: 'lookup'; lookup: NonNullable<Lookup> }
  /** Valid, but no row can match. */
  | { found: 'nothing' }
  /** The bare JSON that existing clients know. */
  | { found: 'error'; status: 400 | 404; body: string | null }

const NOTHING: LegacySearch = { found: 'nothing' }
const lookup = (
  column: NonNullable<Lookup>['column'],
  value: NonNullable<Lookup>['value'],
): LegacySearch => ({
  found: 'lookup',
  lookup: { column, value },
})
const invalid = (body: string | null): LegacySearch => ({ found: 'error', status: 400, body })

const TYPE_SHOWN_MAX = 200

/** Reads a search from the raw path segments. Unlike History's, it checks type and value. */
export function parseLegacySearch(type: string, rawValue: string): LegacySearch {
  const searchType = SEARCH_TYPES.find((known) => known === type)
  if (!searchType)
    return { found: 'error', status: 404, body: `${type.slice(0, TYPE_SHOWN_MAX)} is not supported` }
  const value = searchType === 'user_hid' ? canonicalSegment(rawValue) : decoded(rawValue)
  if (value.trim() === '') return invalid('value cannot be empty')
  if (searchType === 'ip') return parseAddress(value)
  if (searchType === 'user_hid')
    // Browsers and proxies resolve dot segments away, so such a search is never meant.
    return value === '.' || value === '..' ? NOTHING : lookup('user_hid', value)
  if (!isUuid(value)) return invalid('fail parse uuid')
  const uuid = value.toLowerCase()
  return lookup(searchType, searchType === 'request_id' ? requestIdColumn(uuid) : uuidBytesOrNil(uuid))
}

/** IPv6 is a valid address but has no column: the query has always failed, which is told by `null`. */
function parseAddress(value: string): LegacySearch {
  const family = isIP(value)
  if (family === 0) return invalid('invalid IP address')
  const address = ipv4ToNumber(value)
  if (address === undefined) return invalid(null)
  // Rows without an address show 0.0.0.0 and cannot be searched by it.
  return address === 0 ? NOTHING : lookup('ip', address)
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
