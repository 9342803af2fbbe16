import type { Insertable, Kysely, Selectable } from 'kysely'
import type { SavedViewTable } from '../people-tables.ts'
import type { Schema } from '../schema.ts'

export type SavedViewRow = Selectable<SavedViewTable>
export type SavedViewRowChange = Partial<Pick<SavedViewRow, 'name' | 'search' | 'shared' | 'changed_at'>>

/** Saved views of the dashboard. `db` is a connection or an open transaction. */
export const viewStore = (db: Kysely<Schema>) => ({
  /** Those of a user and those that are shared, by name. */
  visible: (domainId: number, owner: string): Promise<SavedViewRow[]> =>
    db
      .selectFrom('saved_views')
      .selectAll()
      .where('domain_id', '=', domainId)
      .where((view) => view.or([view('owner', '=', owner), view('shared', '=', 1)]))
      .orderBy('name')
      .orderBy('id')
      .execute(),

  find: (domainId: number, id: string): Promise<SavedViewRow | undefined> =>
    db
      .selectFrom('saved_views')
      .selectAll()
      .where('domain_id', '=', domainId)
      .where('id', '=', id)
      .executeTakeFirst(),

  async countOf(domainId: number, owner: string): Promise<number> {
    const { views } = await db
      .selectFrom('saved_views')
      .select(({ fn }) => fn.countAll<number>().as('views'))
      .where('domain_id', '=', domainId)
      .where('owner', '=', owner)
      .executeTakeFirstOrThrow()
    return views
  },

  add: (row: Insertable<SavedViewTable>): Promise<SavedViewRow> =>
    db.insertInto('saved_views').values(row).returningAll().executeTakeFirstOrThrow(),

  change: (domainId: number, id: string, change: SavedViewRowChange): Promise<SavedViewRow | undefined> =>
    db
      .updateTable('saved_views')
      .set(change)
      .where('domain_id', '=', domainId)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst(),

  remove: (domainId: number, id: string): Promise<SavedViewRow | undefined> =>
    db
      .deleteFrom('saved_views')
      .where('domain_id', '=', domainId)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst(),

  /** Of a user who goes, views that nobody else saw go as well; the others are nobody's then. */
  async leave(owner: string): Promise<void> {
    await db.deleteFrom('saved_views').where('owner', '=', owner).where('shared', '=', 0).execute()
    await db.updateTable('saved_views').set({ owner: null }).where('owner', '=', owner).execute()
  },
})
