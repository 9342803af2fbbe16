import type { ListKind, ListName } from '@inkling/contract'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { ListEntryTable, Schema } from '../schema.ts'
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
}

/** Of a statement. */
const ROWS_AT_ONCE = 500

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
   * @returns the rows, and how many others they replaced
   * @throws StoreError `INK_TOO_MANY_ENTRIES`
   */
  async save(
    domainId: number,
    entries: readonly NewListEntry[],
    { author, nowMs }: { author: string; nowMs: number },
  ): Promise<{ entries: ListEntryRow[]; replaced: number }> {
    await newVersion(db, domainId)
    // Replaced by a row with a new ID, by which servers notice it.
    const replaced = await removeSame(db, domainId, entries)
    const rows: ListEntryRow[] = []
    for (let start = 0; start < entries.length; start += ROWS_AT_ONCE)
      rows.push(
        ...(await db
          .insertInto('list_entries')
          .values(
            entries.slice(start, start + ROWS_AT_ONCE).map(({ list, kind, value, reason, expiresAtMs }) => ({
              domain_id: domainId,
              list,
              kind,
              value,
              reason,
              author,
              expires_at: expiresAtMs ?? null,
              created_at: nowMs,
            })),
          )
          .returningAll()
          .execute()),
      )
    if (replaced < entries.length) await checkEntryLimit(db, 'list_entries', domainId)
    return { entries: rows, replaced }
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

  /** Numbers of the entries of all lists about these values. */
  async idsAbout(domainId: number, kind: ListKind, values: readonly string[]): Promise<number[]> {
    const ids: number[] = []
    for (let start = 0; start < values.length; start += ROWS_AT_ONCE) {
      const rows = await db
        .selectFrom('list_entries')
        .select('id')
        .where('domain_id', '=', domainId)
        .where('kind', '=', kind)
        .where('value', 'in', values.slice(start, start + ROWS_AT_ONCE))
        .execute()
      ids.push(...rows.map(({ id }) => id))
    }
    return ids
  },

  /** Removes the entries of all lists about these values. Needs a transaction. */
  async removeAbout(domainId: number, kind: ListKind, values: readonly string[]): Promise<void> {
    const ids = await listStore(db).idsAbout(domainId, kind, values)
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

function matching(db: Kysely<Schema>, domainId: number, { list, kind, text }: ListFilter) {
  let rows = db.selectFrom('list_entries').where('domain_id', '=', domainId)
  if (list !== undefined) rows = rows.where('list', '=', list)
  if (kind !== undefined) rows = rows.where('kind', '=', kind)
  return text === undefined ? rows : rows.where(hasPart('value', text))
}

/** Whether a column has this text in it, whatever the case of ASCII letters. */
export const hasPart = (column: string, text: string) =>
  sql<boolean>`lower(${sql.ref(column)}) like ${`%${text.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`} escape '\\'`

async function removeSame(
  db: Kysely<Schema>,
  domainId: number,
  entries: readonly NewListEntry[],
): Promise<number> {
  let removed = 0
  for (const [kind, ofKind] of Map.groupBy(entries, (entry) => entry.kind))
    for (const [list, ofList] of Map.groupBy(ofKind, (entry) => entry.list))
      for (let start = 0; start < ofList.length; start += ROWS_AT_ONCE) {
        const values = ofList.slice(start, start + ROWS_AT_ONCE).map(({ value }) => value)
        const { numDeletedRows } = await db
          .deleteFrom('list_entries')
          .where('domain_id', '=', domainId)
          .where('kind', '=', kind)
          .where('list', '=', list)
          .where('value', 'in', values)
          .executeTakeFirstOrThrow()
        removed += Number(numDeletedRows)
      }
  return removed
}

/** Makes servers read the lists again. The first write of a transaction, as its row lets changes follow each other. */
const newVersion = (db: Kysely<Schema>, domainId: number): Promise<unknown> =>
  db
    .insertInto('list_versions')
    .values({ domain_id: domainId, version: 1 })
    .onConflict((conflict) =>
      conflict.column('domain_id').doUpdateSet({ version: sql`list_versions.version + 1` }),
    )
    .execute()
