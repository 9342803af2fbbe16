import { isUuid, NIL_UUID, NO_IPV4, namesAccount, type SearchType } from '@inkling/contract'
import type { SelectQueryBuilder } from 'kysely'
import {
  bytesOf,
  formatAddress,
  ipv4ToNumber,
  ipv6ToBytes,
  normalAddress,
  parseAddress,
} from '../../lib/address.ts'
import { lastAddress, parseCidr } from '../../lib/cidr.ts'
import { AppError } from '../../lib/errors.ts'
import { type UuidBytes, uuidBytesOrNil, uuidToText } from '../../lib/uuid.ts'
import type { Schema } from '../schema.ts'

/** Columns with an index that starts with the domain and ends with `created_at`. */
type LookupColumn = SearchType | 'ip6' | 'webrtc_leak_ip'

/** A condition on identifications; NULL stands for the empty value. */
export interface Lookup {
  column: LookupColumn
  value: Uint8Array | number | string | null
  /** Other values that stand for the same. */
  aliases?: readonly Uint8Array[]
}

/** The identifications of a look-up. */
export const matching = <Output>(
  rows: SelectQueryBuilder<Schema, 'identifications', Output>,
  { column, value, aliases }: Lookup,
) =>
  aliases
    ? rows.where(column, 'in', [value, ...aliases])
    : rows.where(column, value === null ? 'is' : '=', value)

/** Converts an identifier of the API to the form of its column. */
export function lookupOf(column: SearchType, value: string): Lookup {
  if (column === 'user_hid') return { column, value }
  if (column === 'ip') return addressLookup(value)
  if (column === 'request_id') return { column, value: requestIdColumn(value.toLowerCase()) }
  return { column, value: uuidBytesOrNil(value) }
}

/**
 * The same for the identifier of one person, device or address.
 * @throws AppError `INK_INVALID_FIELD` for a malformed value, and for an empty one, which unrelated visitors share
 */
export function identifierLookup(type: SearchType, value: string): Lookup {
  const problem = problemOf(type, value)
  if (problem) throw new AppError('INK_INVALID_FIELD', `value: ${problem}`)
  return lookupOf(type, value)
}

function problemOf(type: SearchType, value: string): string | undefined {
  if (type === 'user_hid') return namesAccount(value) ? undefined : 'names no account'
  if (type === 'ip') {
    if (parseAddress(value) === undefined) return 'not an IP address'
    return value === NO_IPV4 ? 'names no address' : undefined
  }
  if (!isUuid(value)) return 'not a UUID'
  return value === NIL_UUID ? 'names nobody' : undefined
}

function addressLookup(value: string): Lookup {
  const bytes = ipv6ToBytes(value)
  return bytes
    ? { column: 'ip6', value: bytes }
    : { column: 'ip', value: ipv4ToNumber(normalAddress(value)) ?? null }
}

/** The addresses of a network, both ends included. */
export type SearchedNetwork =
  | { column: 'ip'; first: number; last: number }
  | { column: 'ip6'; first: Uint8Array; last: Uint8Array }

/** The address that a visit leaked, or else the one that it came from directly. */
export interface LocalAddress {
  local: number
}

/** What a row may have. */
export type Held = Lookup | SearchedNetwork | LocalAddress

/** The addresses of a CIDR; undefined for anything else. */
export function networkOf(text: string): SearchedNetwork | undefined {
  const cidr = parseCidr(unmapped(text))
  if (!cidr) return undefined
  const { first } = cidr
  const last = lastAddress(cidr)
  if (first.family === 4 && last.family === 4) return { column: 'ip', first: first.value, last: last.value }
  if (first.family === 6 && last.family === 6)
    return { column: 'ip6', first: bytesOf(first), last: bytesOf(last) }
  return undefined
}

/**
 * A network of IPv4 addresses that is written in IPv6. Rows hold IPv4 as such, so a prefix that reaches beyond IPv4 is
 * all of it.
 */
function unmapped(cidr: string): string {
  const [text = '', bits] = cidr.split('/')
  const address = text.includes(':') ? parseAddress(text) : undefined
  return address?.family === 4 ? `${formatAddress(address)}/${Math.max(Number(bits) - 96, 0)}` : cidr
}

/** A malformed request ID is the nil UUID, stored as NULL because the column is unique. */
export const requestIdColumn = (requestId: string): UuidBytes | null =>
  requestId === NIL_UUID ? null : uuidBytesOrNil(requestId)

export const requestIdText = (column: UuidBytes | null): string =>
  column === null ? NIL_UUID : uuidToText(column)
