import { type Insertable, type Kysely, type Selectable, sql } from 'kysely'
import type { DomainTable, EndpointTable } from '../domain-tables.ts'
import { engineSql } from '../engine-sql.ts'
import type { Schema } from '../schema.ts'

export type DomainRow = Selectable<DomainTable>
export type NewDomainRow = Insertable<DomainTable>
export type DomainChange = Partial<Omit<DomainRow, 'id' | 'name' | 'created_at' | 'has_volume'>>

/**
 * What a change adds to the directory's version, unless it removes sticky verdicts: then it adds 1. So the remainder tells
 * servers whether to read their verdicts anew. Releases that add 1 for every change only cause needless reads.
 */
const OTHER_CHANGE = 2 ** 20

/** Makes running servers reload keys, endpoints and weights. Belongs in the transaction of the change. */
export const bumpDirectoryVersion = (db: Kysely<Schema>) =>
  db
    .updateTable('directory_version')
    .set({ version: sql`version + ${sql.lit(OTHER_CHANGE)}` })
    .execute()

/** The same where sticky verdicts were removed, which servers keep in memory as well. */
export const bumpForRemovedVerdicts = (db: Kysely<Schema>) =>
  db.updateTable('directory_version').set({ version: sql`version + 1` }).execute()

/** Registered domains and their keys. `db` is a connection or an open transaction. */
export const domainStore = (db: Kysely<Schema>) => ({
  list: (): Promise<DomainRow[]> => db.selectFrom('domains').selectAll().orderBy('name').execute(),

  find: (name: string): Promise<DomainRow | undefined> =>
    db.selectFrom('domains').selectAll().where('name', '=', name).executeTakeFirst(),

  findById: (id: number): Promise<DomainRow | undefined> =>
    db.selectFrom('domains').selectAll().where('id', '=', id).executeTakeFirst(),

  /** Lets the next transaction that holds the domain wait, as for a limit that several could pass at once. */
  hold: (id: number): Promise<unknown> =>
    engineSql(db)
      .locking(db.selectFrom('domains').select('id').where('id', '=', id))
      .execute(),

  /** Undefined if the name is taken. */
  async add(row: NewDomainRow): Promise<DomainRow | undefined> {
    const added = await db
      .insertInto('domains')
      .values(row)
      .onConflict((conflict) => conflict.column('name').doNothing())
      .returningAll()
      .executeTakeFirst()
    if (added) await bumpDirectoryVersion(db)
    return added
  },

  /** Without anything to change, the row as it is. */
  async change(id: number, change: DomainChange): Promise<DomainRow | undefined> {
    if (Object.keys(change).length === 0) return this.findById(id)
    const changed = await db
      .updateTable('domains')
      .set({ ...change, ...(change.remaining !== undefined && { has_volume: 1 }) })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst()
    await bumpDirectoryVersion(db)
    return changed
  },

  async directoryVersion(): Promise<number> {
    const row = await db.selectFrom('directory_version').select('version').executeTakeFirst()
    return row?.version ?? 0
  },

  /** Changes whenever sticky verdicts were removed, and with no other change of a domain. */
  async removedVerdicts(): Promise<number> {
    return (await this.directoryVersion()) % OTHER_CHANGE
  },
})

export type EndpointRow = Selectable<EndpointTable>
export type NewEndpointRow = Insertable<EndpointTable>
export type EndpointChange = Partial<
  Pick<
    EndpointRow,
    | 'url'
    | 'sealed_secret'
    | 'previous_secret'
    | 'previous_until'
    | 'state'
    | 'enabled'
    | 'pattern_events'
    | 'decision_events'
    | 'device_events'
  >
>

/** An endpoint that an operator enables or disables starts again without failures. */
const WITHOUT_FAILURES = { failing_since: null, failed_sends: 0, disabled_at: null } as const

/** Webhook endpoints. Every method takes the domain first, so that no query reaches another domain's endpoint. */
export const endpointStore = (db: Kysely<Schema>) => ({
  listAll: (): Promise<EndpointRow[]> => db.selectFrom('endpoints').selectAll().orderBy('id').execute(),

  list: (domainId: number): Promise<EndpointRow[]> =>
    db.selectFrom('endpoints').selectAll().where('domain_id', '=', domainId).orderBy('id').execute(),

  find: (domainId: number, id: number): Promise<EndpointRow | undefined> =>
    db
      .selectFrom('endpoints')
      .selectAll()
      .where('domain_id', '=', domainId)
      .where('id', '=', id)
      .executeTakeFirst(),

  async count(domainId: number): Promise<number> {
    const { endpoints } = await db
      .selectFrom('endpoints')
      .select(({ fn }) => fn.countAll<number>().as('endpoints'))
      .where('domain_id', '=', domainId)
      .executeTakeFirstOrThrow()
    return endpoints
  },

  async add(row: NewEndpointRow): Promise<EndpointRow> {
    const added = await db.insertInto('endpoints').values(row).returningAll().executeTakeFirstOrThrow()
    await bumpDirectoryVersion(db)
    return added
  },

  /** Without anything to change, the row as it is. */
  async change(domainId: number, id: number, change: EndpointChange): Promise<EndpointRow | undefined> {
    if (Object.keys(change).length === 0) return this.find(domainId, id)
    const changed = await db
      .updateTable('endpoints')
      .set({ ...change, ...(change.enabled !== undefined && WITHOUT_FAILURES) })
      .where('domain_id', '=', domainId)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst()
    await bumpDirectoryVersion(db)
    return changed
  },
})

export interface DomainActivity {
  identifications: number
  /** Undefined before the first identification. */
  newestAtMs: number | undefined
  endpoints: number
}

/** Counts identifications since a time; reads only that range of the index. */
export async function domainActivity(
  db: Kysely<Schema>,
  domainId: number,
  sinceMs: number,
): Promise<DomainActivity> {
  const rows = db.selectFrom('identifications').where('domain_id', '=', domainId)
  const [identifications, newest, endpoints] = await Promise.all([
    identificationsSince(db, domainId, sinceMs),
    rows.select(({ fn }) => fn.max('created_at').as('at')).executeTakeFirstOrThrow(),
    endpointStore(db).count(domainId),
  ])
  return {
    identifications,
    newestAtMs: (newest.at as number | null) ?? undefined,
    endpoints,
  }
}

export async function identificationsSince(
  db: Kysely<Schema>,
  domainId: number,
  sinceMs: number,
): Promise<number> {
  const { count } = await db
    .selectFrom('identifications')
    .where('domain_id', '=', domainId)
    .where('created_at', '>=', sinceMs)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Undefined if the domain has no such endpoint. The dispatcher drops its pending events. */
export async function removeEndpoint(
  transaction: Kysely<Schema>,
  domainId: number,
  id: number,
): Promise<EndpointRow | undefined> {
  const removed = await transaction
    .deleteFrom('endpoints')
    .where('domain_id', '=', domainId)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
  if (removed) await bumpDirectoryVersion(transaction)
  return removed
}
