import type { ListKind, ListName } from '@inkling/contract'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { ListEntryTable } from '../decision-tables.ts'
import { engineSql } from '../engine-sql.ts'
import type { Schema } from '../schema.ts'
import { checkEntryLimit } from './entry-limit.ts'

export type ListEntryRow = Selectable<ListEntryTable>

/** With a value in normal form. */
export interface NewListEntry {
  list: ListName
  kind: ListKind
  value: string
  reason: string
  expiresAtMs: number | undefined
}

export interface ListFilter {
  list?: ListName | undefined
  kind?: ListKind | undefined
  /** A part of the value. */
  text?: string | undefined
  /** The whole value, in normal form. */
  value?: string | undefined
}

/** Of a statement. */
const ROWS_AT_ONCE = 2_000

type EntryAbout = Pick<ListEntryRow, 'id' | 'list' | 'value' | 'reason' | 'expires_at'>

/** Entries of a domain's lists. Every method takes the domain first. */
export const listStore = (db: Kysely<Schema>) => ({
  /** Newest first; with `after` oldest first instead, for files. */
  page: (
    domainId: number,
    filter: ListFilter,
    { before, after, limit }: { before?: number | undefined; after?: number | undefined; limit: number },
  ): Promise<ListEntryRow[]> => {
    let rows = matching(db, domainId, filter).selectAll().limit(limit)
    if (before !== undefined) rows = rows.where('id', '<', before)
    if (after !== undefined) rows = rows.where('id', '>', after)
    return rows.orderBy('id', after === undefined ? 'desc' : 'asc').execute()
  },

  async count(domainId: number, filter: ListFilter): Promise<number> {
    const { count } = await matching(db, domainId, filter)
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    return count
  },

  /**
   * Adds entries, which replace those of the same list, kind and value. Needs a transaction.
   * @returns the values of those that they replaced
   * @throws AppError `INK_TOO_MANY_ENTRIES`
   */
  async save(
    domainId: number,
    entries: readonly NewListEntry[],
    { author, nowMs }: { author: string; nowMs: number },
  ): Promise<{ replaced: string[] }> {
    await newVersion(db, domainId)
    const { elements } = engineSql(db)
    const replaced: string[] = []
    for (let start = 0; start < entries.length; start += ROWS_AT_ONCE) {
      // As JSON, because a hundred thousand rows of parameters would take much longer to bind.
      const rows = elements(
        sql.val(
          JSON.stringify(
            entries
              .slice(start, start + ROWS_AT_ONCE)
              .map(({ list, kind, value, reason, expiresAtMs }) => [list, kind, value, reason, expiresAtMs]),
          ),
        ),
      )
      // Replaced by a row with a new ID, by which servers notice it.
      const removed = await sql<Pick<ListEntryRow, 'value'>>`
        delete from list_entries where domain_id = ${domainId} and (kind, value, list) in (
          select value ->> 1, value ->> 2, value ->> 0 from ${rows}) returning value`.execute(db)
      for (const { value } of removed.rows) replaced.push(value)
      await sql`
        insert into list_entries (domain_id, list, kind, value, reason, author, expires_at, created_at)
        select ${sql.lit(domainId)}, value ->> 0, value ->> 1, value ->> 2, value ->> 3,
          cast(${author} as text), cast(value ->> 4 as bigint), ${sql.lit(nowMs)} from ${rows}`.execute(db)
    }
    if (replaced.length < entries.length) await checkEntryLimit(db, 'list_entries', domainId)
    return { replaced }
  },

  /** Undefined if the domain has no such entry. Needs a transaction. */
  async remove(domainId: number, id: number): Promise<ListEntryRow | undefined> {
    const removed = await db
      .deleteFrom('list_entries')
      .where('domain_id', '=', domainId)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst()
    if (removed) await newVersion(db, domainId)
    return removed
  },

  /** The entries of all lists about these values. */
  async about(domainId: number, kind: ListKind, values: readonly string[]): Promise<EntryAbout[]> {
    const found: EntryAbout[] = []
    for (let start = 0; start < values.length; start += ROWS_AT_ONCE)
      found.push(
        ...(await db
          .selectFrom('list_entries')
          .select(['id', 'list', 'value', 'reason', 'expires_at'])
          .where('domain_id', '=', domainId)
          .where('kind', '=', kind)
          .where('value', 'in', values.slice(start, start + ROWS_AT_ONCE))
          .execute()),
      )
    return found
  },

  /** Removes the entries of all lists about these values. Needs a transaction. */
  async removeAbout(domainId: number, kind: ListKind, values: readonly string[]): Promise<void> {
    const ids = (await listStore(db).about(domainId, kind, values)).map(({ id }) => id)
    if (ids.length === 0) return
    await newVersion(db, domainId)
    for (let start = 0; start < ids.length; start += ROWS_AT_ONCE)
      await db
        .deleteFrom('list_entries')
        .where('domain_id', '=', domainId)
        .where('id', 'in', ids.slice(start, start + ROWS_AT_ONCE))
        .execute()
  },
})

function matching(db: Kysely<Schema>, domainId: number, { list, kind, text, value }: ListFilter) {
  let rows = db.selectFrom('list_entries').where('domain_id', '=', domainId)
  if (list !== undefined) rows = rows.where('list', '=', list)
  if (kind !== undefined) rows = rows.where('kind', '=', kind)
  if (value !== undefined) rows = rows.where('value', '=', value)
  return text === undefined ? rows : rows.where(hasPart('value', text))
}

/** Whether a column has this text in it, whatever the case of ASCII letters. */
export const hasPart = (column: string, text: string) =>
  sql<boolean>`lower(${sql.ref(column)}) like ${`%${text.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`} escape '\\'`

/** Makes servers read the lists again. The first write of a transaction, as its row lets changes follow each other. */
const newVersion = (db: Kysely<Schema>, domainId: number): Promise<unknown> =>
  db
    .insertInto('list_versions')
    .values({ domain_id: domainId, version: 1 })
    .onConflict((conflict) =>
      conflict.column('domain_id').doUpdateSet({ version: sql`list_versions.version + 1` }),
    )
    .execute()
