import type { Kysely, Selectable } from 'kysely'
import type { Schema, UserTable } from './schema.ts'

export type UserRow = Selectable<UserTable>
export type UserChange = Partial<Pick<UserRow, 'role' | 'password_hash'>>

/** People who sign in. `db` is a connection or an open transaction. */
export const userStore = (db: Kysely<Schema>) => ({
  list: (): Promise<UserRow[]> => db.selectFrom('users').selectAll().orderBy('email').execute(),

  findByEmail: (email: string): Promise<UserRow | undefined> =>
    db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst(),

  /** Undefined when somebody has the address. */
  add: (row: Omit<UserRow, 'id'>): Promise<UserRow | undefined> =>
    db
      .insertInto('users')
      .values(row)
      .onConflict((conflict) => conflict.column('email').doNothing())
      .returningAll()
      .executeTakeFirst(),

  change: (id: number, change: UserChange): Promise<UserRow | undefined> =>
    db.updateTable('users').set(change).where('id', '=', id).returningAll().executeTakeFirst(),

  /** With the sessions. Undefined when there is no such user. */
  remove: (id: number): Promise<UserRow | undefined> =>
    db.deleteFrom('users').where('id', '=', id).returningAll().executeTakeFirst(),

  async countOwners(): Promise<number> {
    const row = await db
      .selectFrom('users')
      .select(({ fn }) => fn.countAll<number>().as('owners'))
      .where('role', '=', 'owner')
      .executeTakeFirstOrThrow()
    return row.owners
  },
})
