import { NIL_UUID } from '@inkling/contract'
import type { Kysely, Selectable } from 'kysely'
import { type UuidBytes, uuidBytesOrNil, uuidToText } from '../lib/uuid.ts'
import type { IdentificationTable, Schema } from './schema.ts'

export type IdentificationRow = Selectable<IdentificationTable>

/** Columns by which rows are looked up, each with an index that ends in `created_at`. */
type LookupColumn = 'request_id' | 'device_id' | 'visitor_id' | 'session_id' | 'cookie_id' | 'ip' | 'user_hid'

export type Lookup = { column: LookupColumn; value: Uint8Array | number | string | null } | undefined

/** The column's form of a request ID: markers of malformed IDs share the nil UUID, which is NULL there. */
export const requestIdColumn = (requestId: string): UuidBytes | null =>
  requestId === NIL_UUID ? null : uuidBytesOrNil(requestId)

export const requestIdText = (column: UuidBytes | null): string =>
  column === null ? NIL_UUID : uuidToText(column)

export interface Page {
  rows: IdentificationRow[]
  /** Every match, not only those of the page. */
  total: number
}

/** Scored identifications. The domain comes first, so that no other domain's row is ever reached. */
export const identificationStore = (db: Kysely<Schema>) => ({
  /** Newest first. Without a lookup: all of the domain. */
  async search(domainId: number, lookup: Lookup, limit: number, offset: number): Promise<Page> {
    let matches = db.selectFrom('identifications').where('domain_id', '=', domainId)
    if (lookup) matches = matches.where(lookup.column, lookup.value === null ? 'is' : '=', lookup.value)
    const [rows, counted] = await Promise.all([
      matches
        .selectAll()
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .offset(offset)
        .execute(),
      matches.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
    ])
    return { rows, total: counted.total }
  },

  /** Newest first, and only visits of exactly this host: none of other subdomains. */
  latestOfHost: (
    domainId: number,
    host: string,
    { column, value }: NonNullable<Lookup>,
    limit: number,
  ): Promise<IdentificationRow[]> =>
    db
      .selectFrom('identifications')
      .selectAll()
      .where('domain_id', '=', domainId)
      .where('host', '=', host)
      .where(column, value === null ? 'is' : '=', value)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .execute(),
})
