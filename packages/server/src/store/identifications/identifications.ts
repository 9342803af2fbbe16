import { type Kysely, type Selectable, sql } from 'kysely'
import { type DeliveryRow, deliveryStore, type OutboxRow, outboxStore } from '../outbox/outbox.ts'
import type { IdentificationTable, Schema, VersionTable } from '../schema.ts'
import type { Lookup } from './lookup.ts'
import { readSnapshot } from './snapshots.ts'

export type IdentificationRow = Selectable<IdentificationTable>

export interface Page {
  rows: IdentificationRow[]
  /** Number of all matches, not only those of the page. */
  total: number
}

/** Scored identifications. Every method takes the domain first, so that no query reaches another domain's rows. */
export const identificationStore = (db: Kysely<Schema>) => ({
  /** A page of identifications, newest first. */
  async search(domainId: number, lookup: Lookup | undefined, limit: number, offset: number): Promise<Page> {
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

  /** Newest first; only visits of exactly this host. */
  latestOfHost: (
    domainId: number,
    host: string,
    { column, value }: Lookup,
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

/** Columns of an entity's page; the verdict and other large columns are not needed there. */
const ENTITY_COLUMNS = [
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

export type EntityRow = Pick<IdentificationRow, (typeof ENTITY_COLUMNS)[number]>

/** The newest identifications that share an identifier, newest first. */
export const entityRows = (
  db: Kysely<Schema>,
  domainId: number,
  { column, value }: Lookup,
  limit: number,
): Promise<EntityRow[]> =>
  db
    .selectFrom('identifications')
    .select(ENTITY_COLUMNS)
    .where('domain_id', '=', domainId)
    .where(column, value === null ? 'is' : '=', value)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

export type VersionRow = Selectable<VersionTable>

/** What is stored about an identification outside of its row. */
export interface IdentificationParts {
  /** Earlier versions, oldest first. */
  versions: VersionRow[]
  /** JSON; undefined if none is stored. */
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
    readSnapshot(db, domain_id, id),
    // The events of identifications without a request ID cannot be told apart.
    request_id === null ? [] : deliveryStore(db).ofRequest(domain_id, request_id),
    request_id === null ? [] : outboxStore(db).ofRequest(domain_id, request_id),
  ])
  return { versions, snapshot, deliveries, pending }
}

/** An estimate without counting rows: IDs are consecutive, and the oldest rows are removed first. */
export async function identificationsStored(db: Kysely<Schema>): Promise<number> {
  const { count } = await db
    .selectFrom('identifications')
    .select(sql<number | null>`max(id) - min(id) + 1`.as('count'))
    .executeTakeFirstOrThrow()
  return count ?? 0
}
