import { isUuid, NIL_UUID, NO_IPV4, namesAccount, type SearchType } from '@inkling/contract'
import { ipv4ToNumber } from '../../lib/address.ts'
import { type UuidBytes, uuidBytesOrNil, uuidToText } from '../../lib/uuid.ts'
import { StoreError } from '../store-error.ts'

/** Columns with an index that starts with the domain and ends with `created_at`. */
type LookupColumn = 'request_id' | 'device_id' | 'visitor_id' | 'session_id' | 'cookie_id' | 'ip' | 'user_hid'

/** A condition on identifications; NULL stands for the empty value. */
export interface Lookup {
  column: LookupColumn
  value: Uint8Array | number | string | null
}

/** Converts an identifier of the API to the form of its column. */
export function lookupOf(column: SearchType, value: string): Lookup {
  if (column === 'user_hid') return { column, value }
  if (column === 'ip') return { column, value: ipv4ToNumber(value) ?? null }
  if (column === 'request_id') return { column, value: requestIdColumn(value.toLowerCase()) }
  return { column, value: uuidBytesOrNil(value) }
}

/**
 * The same for the identifier of one person, device or address.
 * @throws StoreError `INK_INVALID_FIELD` for a malformed value, and for an empty one, which unrelated visitors share
 */
export function identifierLookup(type: SearchType, value: string): Lookup {
  const problem = problemOf(type, value)
  if (problem) throw new StoreError('INK_INVALID_FIELD', `value: ${problem}`)
  return lookupOf(type, value)
}

function problemOf(type: SearchType, value: string): string | undefined {
  if (type === 'user_hid') return namesAccount(value) ? undefined : 'names no account'
  if (type === 'ip') {
    if (ipv4ToNumber(value) === undefined) return 'not an IPv4 address'
    return value === NO_IPV4 ? 'names no address' : undefined
  }
  if (!isUuid(value)) return 'not a UUID'
  return value === NIL_UUID ? 'names nobody' : undefined
}

/** A malformed request ID is the nil UUID, stored as NULL because the column is unique. */
export const requestIdColumn = (requestId: string): UuidBytes | null =>
  requestId === NIL_UUID ? null : uuidBytesOrNil(requestId)

export const requestIdText = (column: UuidBytes | null): string =>
  column === null ? NIL_UUID : uuidToText(column)
