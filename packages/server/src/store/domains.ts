import { type Kysely, type Selectable, sql } from 'kysely'
import type { DomainTable, Schema } from './schema.ts'

export type DomainRow = Selectable<DomainTable>
export type DomainChange = Partial<Omit<DomainRow, 'id' | 'name' | 'created_at'>>

/** Running servers reread the directory when this number grows; part of each change's transaction. */
export const bumpDirectoryVersion = (db: Kysely<Schema>) =>
  db.updateTable('directory_version').set({ version: sql`version + 1` }).execute()

/** Registered domains and their keys. `db` is a connection or an open transaction. */
export const domainStore = (db: Kysely<Schema>) => ({
  list: (): Promise<DomainRow[]> => db.selectFrom('domains').selectAll().orderBy('name').execute(),

  find: (name: string): Promise<DomainRow | undefined> =>
    db.selectFrom('domains').selectAll().where('name', '=', name).executeTakeFirst(),

  findById: (id: number): Promise<DomainRow | undefined> =>
    db.selectFrom('domains').selectAll().where('id', '=', id).executeTakeFirst(),

  /** Undefined when the name is taken. */
  async add(row: Omit<DomainRow, 'id'>): Promise<DomainRow | undefined> {
    const added = await db
      .insertInto('domains')
      .values(row)
      .onConflict((conflict) => conflict.column('name').doNothing())
      .returningAll()
      .executeTakeFirst()
    if (added) await bumpDirectoryVersion(db)
    return added
  },

  async change(id: number, change: DomainChange): Promise<DomainRow | undefined> {
    const changed = await db
      .updateTable('domains')
      .set(change)
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
})
