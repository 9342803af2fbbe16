import { zstdDecompressSync } from 'node:zlib'
import { NIL_UUID } from '@inkling/contract'
import type { Kysely, Selectable } from 'kysely'
import { type UuidBytes, uuidBytesOrNil, uuidToText } from '../../lib/uuid.ts'
import { type DeliveryRow, deliveryStore, type OutboxRow } from '../outbox/outbox.ts'
import type { IdentificationTable, Schema, VersionTable } from '../schema.ts'

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

const COLUMNS = [
  'created_at',
  'score',
  'device_id',
  'visitor_id',
  'user_hid',
  'ip',
  'cookie_id',
  'country',
  'browser',
  'os',
] as const

export type EntityRow = Pick<IdentificationRow, (typeof COLUMNS)[number]>

/** The newest identifications that share an identifier, without what takes space. */
export const entityRows = (
  db: Kysely<Schema>,
  domainId: number,
  { column, value }: NonNullable<Lookup>,
  limit: number,
): Promise<EntityRow[]> =>
  db
    .selectFrom('identifications')
    .select(COLUMNS)
    .where('domain_id', '=', domainId)
    .where(column, value === null ? 'is' : '=', value)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

export type VersionRow = Selectable<VersionTable>

/** What is kept of an identification beside its row. */
export interface IdentificationParts {
  /** Earlier versions, oldest first. */
  versions: VersionRow[]
  /** JSON of what came in; undefined when it is not kept. */
  snapshot: string | undefined
  deliveries: DeliveryRow[]
  pending: OutboxRow[]
}

export async function identificationParts(
  db: Kysely<Schema>,
  { id, domain_id, request_id }: IdentificationRow,
): Promise<IdentificationParts> {
  const [versions, snapshot, deliveries, pending] = await Promise.all([
    db
      .selectFrom('versions')
      .selectAll()
      .where('domain_id', '=', domain_id)
      .where('identification_id', '=', id)
      .orderBy('ver')
      .execute(),
    db
      .selectFrom('snapshots')
      .select('body')
      .where('domain_id', '=', domain_id)
      .where('identification_id', '=', id)
      .executeTakeFirst(),
    // Markers share the nil UUID, which is stored as NULL: nothing tells their events apart.
    request_id === null ? [] : deliveryStore(db).ofRequest(domain_id, request_id),
    request_id === null
      ? []
      : db
          .selectFrom('outbox')
          .selectAll()
          .where('domain_id', '=', domain_id)
          .where('request_id', '=', request_id)
          .orderBy('id')
          .execute(),
  ])
  return {
    versions,
    snapshot: snapshot && zstdDecompressSync(snapshot.body).toString(),
    deliveries,
    pending,
  }
}
