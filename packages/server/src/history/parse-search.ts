import { isUuid, SEARCH_TYPES, type SearchType } from '@inkling/contract'
import { canonicalSegment } from '../compat/canonical-segment.ts'
import { ipv4ToNumber } from '../lib/ipv4-number.ts'

export type SearchFilter =
  /** An unknown search type: the latest identifications of the whole domain. */
  | { by: 'everything' }
  | { by: Exclude<SearchType, 'ip' | 'user_hid'>; uuid: string }
  | { by: 'ip'; address: number }
  | { by: 'user_hid'; text: string }
  /** Valid, but no row can match. */
  | { by: 'nothing' }

export type ParsedSearch =
  | { ok: true; filter: SearchFilter }
  /** The specified 500; `message` is what existing clients were always shown. */
  | { ok: false; message: string }

const VALUE_SHOWN_MAX = 200

/**
 * Reads a search from the raw path segments. A malformed UUID or IPv4 value is the specified server error,
 * an unknown type no filter at all.
 */
export function parseSearch(type: string, rawValue: string): ParsedSearch {
  const searchType = SEARCH_TYPES.find((known) => known === type)
  if (!searchType) return { ok: true, filter: { by: 'everything' } }
  if (searchType === 'user_hid') {
    const text = canonicalSegment(rawValue)
    // Browsers and proxies resolve dot segments away, so such a search is never meant.
    if (text === '.' || text === '..') return { ok: true, filter: { by: 'nothing' } }
    return { ok: true, filter: { by: 'user_hid', text } }
  }
  const value = decoded(rawValue)
  if (searchType === 'ip') {
    const address = ipv4ToNumber(value)
    if (address === undefined)
      return { ok: false, message: `code: 6, message: Cannot parse string '${shown(value)}' as IPv4` }
    // Rows without an address show 0.0.0.0 and cannot be searched by it.
    return { ok: true, filter: address === 0 ? { by: 'nothing' } : { by: 'ip', address } }
  }
  if (!isUuid(value))
    return { ok: false, message: `code: 53, message: Cannot convert string '${shown(value)}' to type UUID` }
  return { ok: true, filter: { by: searchType, uuid: value.toLowerCase() } }
}

const shown = (value: string): string => value.slice(0, VALUE_SHOWN_MAX)

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
