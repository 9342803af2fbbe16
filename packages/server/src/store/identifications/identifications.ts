import { type Kysely, type Selectable, type SelectQueryBuilder, sql } from 'kysely'
import { type DeliveryRow, deliveryStore, type OutboxRow, outboxStore } from '../outbox/outbox.ts'
import type { Schema } from '../schema.ts'
import type { IdentificationTable, VersionTable } from '../visit-tables.ts'
import { type Lookup, matching, requestIdColumn } from './lookup.ts'

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
    const matches = matchesOf(db, domainId, lookup)
    const counting = matches.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirstOrThrow()
    if (offset > DEEP_OFFSET) {
      const { total } = await counting
      return { rows: await deepPage(db, matches, { limit, offset, total }), total }
    }
    const [rows, { total }] = await Promise.all([
      newestFirst(matches).selectAll().limit(limit).offset(offset).execute(),
      counting,
    ])
    return { rows, total }
  },

  /** The version of an identification that is stored now. */
  latestVersion: (
    domainId: number,
    requestId: string,
  ): Promise<Pick<IdentificationRow, 'ver' | 'verdict'> | undefined> =>
    db
      .selectFrom('identifications')
      .select(['ver', 'verdict'])
      .where('domain_id', '=', domainId)
      .where('request_id', '=', requestIdColumn(requestId))
      .executeTakeFirst(),

  /** Newest first; only visits of exactly this host. */
  latestOfHost: (
    domainId: number,
    host: string,
    lookup: Lookup,
    limit: number,
  ): Promise<IdentificationRow[]> =>
    matching(db.selectFrom('identifications').selectAll().where('domain_id', '=', domainId), lookup)
      .where('host', '=', host)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .execute(),
})

type Matches = SelectQueryBuilder<Schema, 'identifications', object>

function matchesOf(db: Kysely<Schema>, domainId: number, lookup: Lookup | undefined): Matches {
  const rows = db.selectFrom('identifications').where('domain_id', '=', domainId)
  return lookup ? matching(rows, lookup) : rows
}

const newestFirst = (rows: Matches): Matches => rows.orderBy('created_at', 'desc').orderBy('id', 'desc')
const oldestFirst = (rows: Matches): Matches => rows.orderBy('created_at', 'asc').orderBy('id', 'asc')

/** From here on a page is found by its keys first: a row has a kilobyte, its entry in an index a few bytes. */
const DEEP_OFFSET = 500

/** The same page, counted from the nearer end of the index. Of 500,000 rows the last one took 82 ms, and takes 5. */
async function deepPage(
  db: Kysely<Schema>,
  matches: Matches,
  { limit, offset, total }: { limit: number; offset: number; total: number },
): Promise<IdentificationRow[]> {
  const count = Math.min(limit, total - offset)
  if (count <= 0) return []
  const after = total - offset - count
  const keys = after < offset ? oldestFirst(matches).offset(after) : newestFirst(matches).offset(offset)
  return db
    .selectFrom(
      keys.select(['domain_id as of', 'id as found', 'created_at as found_at']).limit(count).as('keys'),
    )
    .innerJoin('identifications', (join) =>
      join
        .onRef('identifications.domain_id', '=', 'keys.of')
        .onRef('identifications.id', '=', 'keys.found')
        .onRef('identifications.created_at', '=', 'keys.found_at'),
    )
    .selectAll('identifications')
    .orderBy('identifications.created_at', 'desc')
    .orderBy('identifications.id', 'desc')
    .execute()
}

/** Columns of an entity's page; the verdict and other large columns are not needed there. */
const ENTITY_COLUMNS = [
  'id',
  'created_at',
  'score',
  'device_id',
  'visitor_id',
  'user_hid',
  'ip',
  'ip6',
  'web_rtc_ip',
  'webrtc_leak_ip',
  'cookie_id',
  'country',
  'browser',
  'os',
] as const

export type EntityRow = Pick<IdentificationRow, (typeof ENTITY_COLUMNS)[number]>

export interface EntityRows {
  /** Newest first. */
  rows: EntityRow[]
  /** Whether these are all of them. */
  complete: boolean
}

/** The newest identifications that share an identifier, at most `limit`. */
export async function entityRows(
  db: Kysely<Schema>,
  domainId: number,
  lookup: Lookup,
  limit: number,
): Promise<EntityRows> {
  const ofDomain = db.selectFrom('identifications').select(ENTITY_COLUMNS).where('domain_id', '=', domainId)
  const rows = await matching(ofDomain, lookup)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  return { rows: rows.slice(0, limit), complete: rows.length <= limit }
}

/** The newest identifications behind a local address, which are those that leaked it and those that came from it directly. */
export async function localIpRows(
  db: Kysely<Schema>,
  domainId: number,
  address: number,
  limit: number,
): Promise<EntityRows> {
  const [leaking, direct] = await Promise.all([
    entityRows(db, domainId, { column: 'webrtc_leak_ip', value: address }, limit),
    entityRows(db, domainId, { column: 'ip', value: address }, limit),
  ])
  const behind = direct.rows.filter((row) => row.webrtc_leak_ip === null && row.web_rtc_ip === address)
  const rows = [...leaking.rows, ...behind].sort((a, b) => b.created_at - a.created_at || b.id - a.id)
  return {
    rows: rows.slice(0, limit),
    complete: leaking.complete && direct.complete && rows.length <= limit,
  }
}

export type VersionRow = Selectable<VersionTable>

/** What is stored about an identification outside of its row. */
export interface IdentificationParts {
  /** Earlier versions, oldest first. */
  versions: VersionRow[]
  deliveries: DeliveryRow[]
  pending: OutboxRow[]
}

export async function identificationParts(
  db: Kysely<Schema>,
  { id, domain_id, request_id }: IdentificationRow,
): Promise<IdentificationParts> {
  const [versions, deliveries, pending] = await Promise.all([
    db
      .selectFrom('versions')
      .selectAll()
      .where('domain_id', '=', domain_id)
      .where('identification_id', '=', id)
      .orderBy('ver')
      .execute(),
    // The events of identifications without a request ID cannot be told apart.
    request_id === null ? [] : deliveryStore(db).ofRequest(domain_id, request_id),
    request_id === null ? [] : outboxStore(db).ofRequest(domain_id, request_id),
  ])
  return { versions, deliveries, pending }
}

/** An estimate without counting rows: IDs are consecutive, and the oldest rows are removed first. */
export async function identificationsStored(db: Kysely<Schema>): Promise<number> {
  const { count } = await db
    .selectFrom('identifications')
    .select(sql<number | null>`max(id) - min(id) + 1`.as('count'))
    .executeTakeFirstOrThrow()
  return count ?? 0
}
