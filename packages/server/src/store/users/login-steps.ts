import type { DomainRole } from '@inkling/contract/account'
import type { Kysely, NotNull, Selectable } from 'kysely'
import type { InvitationTable, LoginStepTable } from '../people-tables.ts'
import type { Schema } from '../schema.ts'

export type LoginStepRow = Selectable<LoginStepTable>

/** Of strangers, who can begin as many as they have addresses: some megabytes, and ten minutes of a busy office. */
const STRANGERS_MAX = 10_000

/** Unfinished sign-ins. `db` is a connection or an open transaction. */
export const loginStepStore = (db: Kysely<Schema>) => ({
  async add(row: LoginStepRow, nowMs: number): Promise<void> {
    await db.deleteFrom('login_steps').where('expires_at', '<=', nowMs).execute()
    await db.insertInto('login_steps').values(row).execute()
    if (row.user_id === null) await removeSurplus(db)
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

/** Removes the steps of strangers that would end next, beyond the latest. */
const removeSurplus = (db: Kysely<Schema>): Promise<unknown> =>
  db
    .deleteFrom('login_steps')
    .where('token_hash', 'in', (steps) =>
      steps
        .selectFrom('login_steps')
        .select('token_hash')
        .where('user_id', 'is', null)
        .orderBy('expires_at', 'desc')
        .limit(STRANGERS_MAX)
        .offset(STRANGERS_MAX),
    )
    .execute()

export type InvitationRow = Selectable<InvitationTable>
export type NewInvitation = Omit<InvitationRow, 'id'>
/** One into a domain promises a role there. */
export type DomainInvitationRow = InvitationRow & { domain_role: DomainRole }

/** Invitations that were not used. `db` is a connection or an open transaction. */
export const invitationStore = (db: Kysely<Schema>) => ({
  list: (nowMs: number): Promise<InvitationRow[]> =>
    db.selectFrom('invitations').selectAll().where('expires_at', '>', nowMs).orderBy('email').execute(),

  /** Those into a domain. */
  listOfDomain: (domainId: number, nowMs: number): Promise<DomainInvitationRow[]> =>
    db
      .selectFrom('invitations')
      .selectAll()
      .where('domain_id', '=', domainId)
      .where('expires_at', '>', nowMs)
      .orderBy('email')
      .$narrowType<{ domain_role: NotNull }>()
      .execute(),

  findByEmail: (email: string, nowMs: number): Promise<InvitationRow | undefined> =>
    db
      .selectFrom('invitations')
      .selectAll()
      .where('email', '=', email)
      .where('expires_at', '>', nowMs)
      .executeTakeFirst(),

  /**
   * One into a domain replaces an earlier one of the same address into it, one to the installation replaces any.
   * Undefined if another stays in its way.
   */
  async add(row: NewInvitation, nowMs: number): Promise<InvitationRow | undefined> {
    await db
      .deleteFrom('invitations')
      .where('email', '=', row.email)
      .$if(row.domain_id !== null, (rows) =>
        rows.where(({ or, eb }) => or([eb('domain_id', '=', row.domain_id), eb('expires_at', '<=', nowMs)])),
      )
      .execute()
    return db
      .insertInto('invitations')
      .values(row)
      .onConflict((conflict) => conflict.column('email').doNothing())
      .returningAll()
      .executeTakeFirst()
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

  /**
   * Those that somebody made.
   * @param domainId only those into this domain, or with null those to the installation alone
   */
  removeBy: (inviter: string, domainId?: number | null): Promise<InvitationRow[]> =>
    db
      .deleteFrom('invitations')
      .where('invited_by', '=', inviter)
      .$if(domainId !== undefined, (rows) =>
        rows.where('domain_id', 'is not distinct from', domainId ?? null),
      )
      .returningAll()
      .execute(),

  removeExpired: (nowMs: number): Promise<unknown> =>
    db.deleteFrom('invitations').where('expires_at', '<=', nowMs).execute(),

  /** Undefined if there is no such invitation any more. */
  remove: (id: number): Promise<InvitationRow | undefined> =>
    db.deleteFrom('invitations').where('id', '=', id).returningAll().executeTakeFirst(),

  /** The same, unless it is not into this domain. */
  removeOfDomain: (domainId: number, id: number): Promise<InvitationRow | undefined> =>
    db
      .deleteFrom('invitations')
      .where('id', '=', id)
      .where('domain_id', '=', domainId)
      .returningAll()
      .executeTakeFirst(),
})
