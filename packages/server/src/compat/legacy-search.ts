import { isIP } from 'node:net'
import { isUuid, SEARCH_TYPES } from '@inkling/contract'
import type { FastifyReply } from 'fastify'
import type { Domain } from '../auth/directory.ts'
import { readPaging } from '../history/paging.ts'
import { ipv4ToNumber } from '../lib/address.ts'
import { withAliases } from '../store/devices/device-aliases.ts'
import { identificationStore } from '../store/identifications/identifications.ts'
import { type Lookup, lookupOf } from '../store/identifications/lookup.ts'
import type { Store } from '../store/store.ts'
import { sendManagementJson, shown } from './answers.ts'
import { presentSnapshot } from './present-snapshot.ts'
import { canonicalSegment, decodedSegment, isDotSegment, type SearchPath } from './raw-path.ts'

const LIMIT_DEFAULT = 100

/** Answers the latest snapshots of exactly one host as a bare array, without an offset (§4.3). */
export async function sendSnapshots(
  reply: FastifyReply,
  store: Store,
  domain: Domain,
  { type, value, query }: SearchPath,
): Promise<FastifyReply> {
  const search = parseLegacySearch(type, value)
  if (search.found === 'error') return sendManagementJson(reply, search.status, search.body)
  if (search.found === 'nothing') return sendManagementJson(reply, 200, [])

  const { limit } = readPaging(query, { limitDefault: LIMIT_DEFAULT })
  const identifications = identificationStore(store.reads)
  const lookup = await withAliases(store.reads, domain.id, search.lookup)
  const rows = await identifications.latestOfHost(domain.id, domain.name, lookup, limit)
  return sendManagementJson(reply, 200, rows.map(presentSnapshot))
}

export type LegacySearch =
  | { found: 'lookup'; lookup: Lookup }
  /** Valid, but no row can match. */
  | { found: 'nothing' }
  /** The whole body is a JSON string or null (S7). */
  | { found: 'error'; status: 400 | 404; body: string | null }

const NOTHING: LegacySearch = { found: 'nothing' }
const found = (lookup: Lookup): LegacySearch => ({ found: 'lookup', lookup })
const invalid = (body: string | null): LegacySearch => ({ found: 'error', status: 400, body })

/** Reads a search from path segments that are not decoded. Unlike History's, it refuses an unknown type. */
export function parseLegacySearch(type: string, segment: string): LegacySearch {
  const searchType = SEARCH_TYPES.find((known) => known === type)
  if (!searchType) return { found: 'error', status: 404, body: `${shown(type)} is not supported` }
  const value = searchType === 'user_hid' ? canonicalSegment(segment) : decodedSegment(segment)
  // S10.15
  if (value.trim() === '') return invalid('value cannot be empty')
  if (searchType === 'ip') return parseAddress(value)
  if (searchType === 'user_hid') return isDotSegment(value) ? NOTHING : found(lookupOf('user_hid', value))
  return isUuid(value) ? found(lookupOf(searchType, value.toLowerCase())) : invalid('fail parse uuid')
}

/** IPv6 is a valid address without a column; clients know its answer as `null`. */
function parseAddress(value: string): LegacySearch {
  if (isIP(value) === 0) return invalid('invalid IP address')
  const address = ipv4ToNumber(value)
  if (address === undefined) return invalid(null)
  // Rows without an address show 0.0.0.0 and cannot be searched by it.
  return address === 0 ? NOTHING : found(lookupOf('ip', value))
}
