import type { Insertable, Kysely, Selectable } from 'kysely'
import { assistantGrantStore } from '../assistants/grants.ts'
import { proposalStore } from '../assistants/proposals.ts'
import type { DomainTable } from '../domain-tables.ts'
import type { AuditTable, SessionTable, UserTable } from '../people-tables.ts'
import type { Schema } from '../schema.ts'
import { memberStore } from './domain-members.ts'
import { invitationStore } from './login-steps.ts'
import { viewStore } from './saved-views.ts'

export type UserRow = Selectable<UserTable>
export type UserChange = Partial<
  Pick<
    UserRow,
    | 'role'
    | 'password_hash'
    | 'totp_secret'
    | 'totp_pending'
    | 'totp_step'
    | 'provider_subject'
    | 'invited_into'
  >
>

/** Users of the dashboard. `db` is a connection or an open transaction. */
export const userStore = (db: Kysely<Schema>) => ({
  list: (): Promise<UserRow[]> => db.selectFrom('users').selectAll().orderBy('email').execute(),

  findByEmail: (email: string): Promise<UserRow | undefined> =>
    db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst(),

  find: (id: number): Promise<UserRow | undefined> =>
    db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst(),

  findByProvider: (subject: string): Promise<UserRow | undefined> =>
    db.selectFrom('users').selectAll().where('provider_subject', '=', subject).executeTakeFirst(),

  /** Undefined if another user has the address. */
  add: (row: Insertable<UserTable>): Promise<UserRow | undefined> =>
    db
      .insertInto('users')
      .values(row)
      .onConflict((conflict) => conflict.column('email').doNothing())
      .returningAll()
      .executeTakeFirst(),

  change: (id: number, change: UserChange): Promise<UserRow | undefined> =>
    db.updateTable('users').set(change).where('id', '=', id).returningAll().executeTakeFirst(),

  /** Notes the time step of a code. False if that one or a later one was used before. */
  async useTotpStep(id: number, step: number): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('users')
      .set({ totp_step: step })
      .where('id', '=', id)
      .where('totp_step', '<', step)
      .executeTakeFirstOrThrow()
    return numUpdatedRows > 0n
  },

  /**
   * Removes the user, their sessions and roles, the invitations that they made, and their assistants with what these
   * propose. Their cases and the views that they shared are nobody's then; views that nobody else saw go. Undefined if
   * there is no such user.
   */
  async remove(id: number): Promise<UserRow | undefined> {
    const removed = await db.deleteFrom('users').where('id', '=', id).returningAll().executeTakeFirst()
    if (!removed) return undefined
    await db.updateTable('cases').set({ assignee: null }).where('assignee', '=', removed.email).execute()
    await viewStore(db).leave(removed.email)
    await memberStore(db).removeOfUser(id)
    await invitationStore(db).removeBy(removed.email)
    await assistantGrantStore(db).removeOfUser(id)
    await proposalStore(db).removeOfUser(id)
    return removed
  },

  async countOwners(): Promise<number> {
    const row = await db
      .selectFrom('users')
      .select(({ fn }) => fn.countAll<number>().as('owners'))
      .where('role', '=', 'owner')
      .executeTakeFirstOrThrow()
    return row.owners
  },
})

export type SessionRow = Selectable<SessionTable>
/** A signed-in user, without the password hash. */
export type SessionUser = Pick<UserRow, 'id' | 'email' | 'role'>
/** The same with what is known of the session. */
type UserInSession = SessionUser & Pick<SessionRow, 'proven_at'>

/** Logins. `db` is a connection or an open transaction. */
export const sessionStore = (db: Kysely<Schema>) => ({
  add: (row: Insertable<SessionTable>): Promise<SessionRow> =>
    db.insertInto('sessions').values(row).returningAll().executeTakeFirstOrThrow(),

  /** The user of a session; undefined once it has ended. */
  user: (id: number, userId: number, nowMs: number): Promise<UserInSession | undefined> =>
    db
      .selectFrom('sessions')
      .innerJoin('users', 'users.id', 'sessions.user_id')
      .select(['users.id', 'users.email', 'users.role', 'sessions.proven_at'])
      .where('sessions.id', '=', id)
      .where('users.id', '=', userId)
      .where('sessions.expires_at', '>', nowMs)
      .executeTakeFirst(),

  findFamily: (family: Uint8Array): Promise<SessionRow | undefined> =>
    db.selectFrom('sessions').selectAll().where('family', '=', family).executeTakeFirst(),

  /**
   * Replaces the latest refresh token.
   * @param tokenHash the token to replace
   * @returns false if it is not the latest token
   */
  async rotate(
    id: number,
    tokenHash: Uint8Array,
    change: Pick<SessionRow, 'token_hash' | 'previous_hash' | 'rotated_at' | 'expires_at'>,
  ): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('sessions')
      .set(change)
      .where('id', '=', id)
      .where('token_hash', '=', tokenHash)
      .executeTakeFirstOrThrow()
    return numUpdatedRows > 0n
  },

  /** Newest first. */
  listOfUser: (userId: number, nowMs: number): Promise<SessionRow[]> =>
    db
      .selectFrom('sessions')
      .selectAll()
      .where('user_id', '=', userId)
      .where('expires_at', '>', nowMs)
      .orderBy('id', 'desc')
      .execute(),

  prove: (id: number, nowMs: number): Promise<unknown> =>
    db.updateTable('sessions').set({ proven_at: nowMs }).where('id', '=', id).execute(),

  /** False if the user has no such session. */
  async removeOwn(id: number, userId: number): Promise<boolean> {
    const { numDeletedRows } = await db
      .deleteFrom('sessions')
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
    return numDeletedRows > 0n
  },

  remove: (id: number): Promise<unknown> => db.deleteFrom('sessions').where('id', '=', id).execute(),

  removeExpired: (nowMs: number): Promise<unknown> =>
    db.deleteFrom('sessions').where('expires_at', '<=', nowMs).execute(),

  /**
   * Also disconnects assistants: somebody else may have connected them.
   * @param exceptId a session that stays, such as that of a user who changes their own password
   */
  async removeOfUser(userId: number, exceptId?: number): Promise<void> {
    await assistantGrantStore(db).removeOfUser(userId)
    const sessions = db.deleteFrom('sessions').where('user_id', '=', userId)
    await (exceptId === undefined ? sessions : sessions.where('id', '!=', exceptId)).execute()
  },
})

export type AuditRow = Selectable<AuditTable>

export interface AuditEntry {
  /** E-mail address, `command line` or `server`. */
  actor: string
  /** Such as `domain.add`. */
  action: string
  target: string
  /** The new values, without secrets and without visitors' identifiers. */
  detail?: Record<string, string | number | boolean>
}

export const COMMAND_LINE = 'command line'
/** The actor of what the server does by itself. */
export const SERVER = 'server'

/** Who changed what. Add an entry in the transaction of the change. */
export const auditStore = (db: Kysely<Schema>) => ({
  add: ({ actor, action, target, detail = {} }: AuditEntry, nowMs: number): Promise<Pick<AuditRow, 'id'>> =>
    db
      .insertInto('audit')
      .values({ at: nowMs, actor, action, target, detail: JSON.stringify(detail) })
      .returning('id')
      .executeTakeFirstOrThrow(),

  /** Removes an entry that the same transaction added. */
  takeBack: (id: number): Promise<unknown> => db.deleteFrom('audit').where('id', '=', id).execute(),

  /**
   * Newest first.
   * @param beforeId only entries before this one
   */
  list(beforeId: number | undefined, limit: number): Promise<AuditRow[]> {
    let entries = db.selectFrom('audit').selectAll()
    if (beforeId !== undefined) entries = entries.where('id', '<', beforeId)
    return entries.orderBy('id', 'desc').limit(limit).execute()
  },

  /**
   * What happened in a domain since it was added, newest first. Somebody else may have had its name before.
   * @param before time and ID of an entry: only those before it
   */
  listOfDomain(
    { name, created_at }: Pick<Selectable<DomainTable>, 'name' | 'created_at'>,
    before: readonly [atMs: number, id: number] | undefined,
    limit: number,
  ): Promise<AuditRow[]> {
    let entries = db
      .selectFrom('audit')
      .selectAll()
      .where('target', '=', name)
      .where('at', '>=', created_at)
      // Its target is a feed, and a domain may be named like one. All other targets that are no domains have an `@`.
      .where('action', '!=', 'feeds.update')
    if (before)
      entries = entries.where(({ eb, refTuple, tuple }) =>
        eb(refTuple('at', 'id'), '<', tuple(before[0], before[1])),
      )
    return entries.orderBy('at', 'desc').orderBy('id', 'desc').limit(limit).execute()
  },
})
