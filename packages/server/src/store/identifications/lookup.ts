import { isUuid, NIL_UUID, NO_IPV4, namesAccount, type SearchType } from '@inkling/contract'
import { AppError } from '../../lib/errors.ts'
import { ipv4ToNumber } from '../../lib/ipv4-number.ts'
import { uuidBytesOrNil } from '../../lib/uuid.ts'
import { type Lookup, requestIdColumn } from './identifications.ts'

/**
 * Finds what one person's, device's or address's identifier is kept under.
 * @throws AppError for a malformed value, and for one that strangers share: what has it has nothing in common
 */
export function identifierLookup(type: SearchType, value: string): NonNullable<Lookup> {
  if (type === 'user_hid') {
    if (!namesAccount(value)) throw new AppError('INK_INVALID_FIELD', 'value: names no account')
  } else if (type === 'ip') {
    if (ipv4ToNumber(value) === undefined)
      throw new AppError('INK_INVALID_FIELD', 'value: not an IPv4 address')
    if (value === NO_IPV4) throw new AppError('INK_INVALID_FIELD', 'value: names no address')
  } else if (!isUuid(value)) throw new AppError('INK_INVALID_FIELD', 'value: not a UUID')
  else if (value === NIL_UUID) throw new AppError('INK_INVALID_FIELD', 'value: names nobody')
  return lookupOf(type, value)
}

/** What the columns hold for the values of the wire. */
export function lookupOf(column: SearchType, value: string): NonNullable<Lookup> {
  if (column === 'user_hid') return { column, value }
  if (column === 'ip') return { column, value: ipv4ToNumber(value) ?? null }
  if (column === 'request_id') return { column, value: requestIdColumn(value.toLowerCase()) }
  return { column, value: uuidBytesOrNil(value) }
}
