import type { DomainRole, Role } from '@inkling/contract/account'
import type { Insertable, Kysely, Selectable } from 'kysely'
import type { DomainMemberTable } from '../people-tables.ts'
import type { Schema } from '../schema.ts'

export type DomainMemberRow = Selectable<DomainMemberTable>

/** Roles of users in single domains. `db` is a connection or an open transaction. */
export const memberStore = (db: Kysely<Schema>) => ({
  /** The members of a domain with their addresses, in the order of these. */
  list: (domainId: number): Promise<(DomainMemberRow & { email: string })[]> =>
    db
      .selectFrom('domain_members as member')
      .innerJoin('users', 'users.id', 'member.user_id')
      .selectAll('member')
      .select('users.email')
      .where('member.domain_id', '=', domainId)
      .orderBy('users.email')
      .execute(),

  /** The roles of one user, or of all, with the names of the domains, in the order of these. */
  roles: (userId?: number): Promise<{ user_id: number; domain: string; role: DomainRole }[]> =>
    db
      .selectFrom('domain_members as member')
      .innerJoin('domains', 'domains.id', 'member.domain_id')
      .select(['member.user_id', 'domains.name as domain', 'member.role'])
      .$if(userId !== undefined, (rows) => rows.where('member.user_id', '=', userId ?? 0))
      .orderBy('domains.name')
      .execute(),

  /** Replaces the role that the user had in the domain. */
  set: (row: Insertable<DomainMemberTable>): Promise<DomainMemberRow> =>
    db
      .insertInto('domain_members')
      .values(row)
      .onConflict((conflict) =>
        conflict
          .columns(['domain_id', 'user_id'])
          .doUpdateSet({ role: row.role, given_by: row.given_by, given_at: row.given_at }),
      )
      .returningAll()
      .executeTakeFirstOrThrow(),

  /** Undefined if the user has no role in the domain. */
  remove: (domainId: number, userId: number): Promise<DomainMemberRow | undefined> =>
    db
      .deleteFrom('domain_members')
      .where('domain_id', '=', domainId)
      .where('user_id', '=', userId)
      .returningAll()
      .executeTakeFirst(),

  removeOfUser: (userId: number): Promise<unknown> =>
    db.deleteFrom('domain_members').where('user_id', '=', userId).execute(),

  /** Everybody with a role that reaches the domain, with the one in it if there is one. */
  reaching: (domainId: number): Promise<{ email: string; role: Role; domainRole: DomainRole | null }[]> =>
    db
      .selectFrom('users')
      .leftJoin('domain_members as member', (join) =>
        join.onRef('member.user_id', '=', 'users.id').on('member.domain_id', '=', domainId),
      )
      .select(['users.email', 'users.role', 'member.role as domainRole'])
      .where(({ or, eb }) => or([eb('users.role', '!=', 'member'), eb('member.role', 'is not', null)]))
      .orderBy('users.email')
      .execute(),
})
