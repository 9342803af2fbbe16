import type { Insertable, Kysely, Selectable } from 'kysely'
import type { InvitationTable, LoginStepTable } from '../people-tables.ts'
import type { Schema } from '../schema.ts'

export type LoginStepRow = Selectable<LoginStepTable>

/** Unfinished sign-ins. `db` is a connection or an open transaction. */
export const loginStepStore = (db: Kysely<Schema>) => ({
  async add(row: LoginStepRow, nowMs: number): Promise<void> {
    await db.deleteFrom('login_steps').where('expires_at', '<=', nowMs).execute()
    await db.insertInto('login_steps').values(row).execute()
  },

  find: (tokenHash: Uint8Array, kind: string, nowMs: number): Promise<LoginStepRow | undefined> =>
    db
      .selectFrom('login_steps')
      .selectAll()
      .where('token_hash', '=', tokenHash)
      .where('kind', '=', kind)
      .where('expires_at', '>', nowMs)
      .executeTakeFirst(),

  removeOfUser: (userId: number): Promise<unknown> =>
    db.deleteFrom('login_steps').where('user_id', '=', userId).execute(),

  /** False if it was used in the meantime. */
  async use(tokenHash: Uint8Array): Promise<boolean> {
    const { numDeletedRows } = await db
      .deleteFrom('login_steps')
      .where('token_hash', '=', tokenHash)
      .executeTakeFirstOrThrow()
    return numDeletedRows > 0n
  },
})

export type InvitationRow = Selectable<InvitationTable>

/** Invitations that were not used. `db` is a connection or an open transaction. */
export const invitationStore = (db: Kysely<Schema>) => ({
  list: (nowMs: number): Promise<InvitationRow[]> =>
    db.selectFrom('invitations').selectAll().where('expires_at', '>', nowMs).orderBy('email').execute(),

  /** Those into a domain. */
  listOfDomain: (domainId: number, nowMs: number): Promise<InvitationRow[]> =>
    db
      .selectFrom('invitations')
      .selectAll()
      .where('domain_id', '=', domainId)
      .where('expires_at', '>', nowMs)
      .orderBy('email')
      .execute(),

  /** Replaces an earlier invitation of the same address. */
  async add(row: Insertable<InvitationTable>, nowMs: number): Promise<InvitationRow> {
    await db
      .deleteFrom('invitations')
      .where(({ or, eb }) => or([eb('email', '=', row.email), eb('expires_at', '<=', nowMs)]))
      .execute()
    return db.insertInto('invitations').values(row).returningAll().executeTakeFirstOrThrow()
  },

  find: (tokenHash: Uint8Array, nowMs: number): Promise<InvitationRow | undefined> =>
    db
      .selectFrom('invitations')
      .selectAll()
      .where('token_hash', '=', tokenHash)
      .where('expires_at', '>', nowMs)
      .executeTakeFirst(),

  removeFor: (email: string): Promise<unknown> =>
    db.deleteFrom('invitations').where('email', '=', email).execute(),

  /** Those that an owner made, in one domain or anywhere. */
  removeBy: (owner: string, domainId?: number): Promise<unknown> =>
    db
      .deleteFrom('invitations')
      .where('invited_by', '=', owner)
      .$if(domainId !== undefined, (rows) => rows.where('domain_id', '=', domainId ?? 0))
      .execute(),

  /** Undefined if there is no such invitation any more. */
  remove: (id: number): Promise<InvitationRow | undefined> =>
    db.deleteFrom('invitations').where('id', '=', id).returningAll().executeTakeFirst(),
})
