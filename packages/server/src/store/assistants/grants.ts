import type { Insertable, Kysely, Selectable } from 'kysely'
import type { AssistantGrantTable } from '../assistant-tables.ts'
import type { Schema } from '../schema.ts'

export type AssistantGrantRow = Selectable<AssistantGrantTable>
/** The tokens of a grant, which each use of a refresh token replaces. */
export type GrantTokens = Pick<
  AssistantGrantRow,
  'access_hash' | 'access_expires_at' | 'refresh_hash' | 'used_at' | 'expires_at'
>

/** What users allowed assistants. `db` is a connection or an open transaction. */
export const assistantGrantStore = (db: Kysely<Schema>) => ({
  add: (row: Insertable<AssistantGrantTable>): Promise<unknown> =>
    db.insertInto('assistant_grants').values(row).execute(),

  findByCode: (codeHash: Uint8Array): Promise<AssistantGrantRow | undefined> =>
    db.selectFrom('assistant_grants').selectAll().where('code_hash', '=', codeHash).executeTakeFirst(),

  findByFamily: (familyHash: Uint8Array): Promise<AssistantGrantRow | undefined> =>
    db.selectFrom('assistant_grants').selectAll().where('family_hash', '=', familyHash).executeTakeFirst(),

  /** The grant of an access token that counts now, with its user and the name of its domain. */
  findByAccess: (accessHash: Uint8Array, nowMs: number) =>
    db
      .selectFrom('assistant_grants as grant')
      .innerJoin('users', 'users.id', 'grant.user_id')
      .innerJoin('domains', 'domains.id', 'grant.domain_id')
      .select(['grant.id', 'grant.domain_id', 'grant.scopes', 'grant.client_name', 'grant.user_id'])
      .select(['users.email', 'users.role', 'domains.name as domain'])
      .where('grant.access_hash', '=', accessHash)
      .where('grant.access_expires_at', '>', nowMs)
      .where('grant.expires_at', '>', nowMs)
      .executeTakeFirst(),

  /** Gives a grant its first tokens. False if another request was faster. */
  async start(id: string, tokens: GrantTokens & { family_hash: Uint8Array }): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('assistant_grants')
      .set(tokens)
      .where('id', '=', id)
      .where('family_hash', 'is', null)
      .executeTakeFirstOrThrow()
    return numUpdatedRows > 0n
  },

  /** Replaces the tokens of a grant. False if the refresh token is not the latest. */
  async rotate(id: string, refreshHash: Uint8Array, tokens: GrantTokens): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('assistant_grants')
      .set(tokens)
      .where('id', '=', id)
      .where('refresh_hash', '=', refreshHash)
      .executeTakeFirstOrThrow()
    return numUpdatedRows > 0n
  },

  /** Those of a user that have tokens, newest first, with the names of their domains. */
  listOfUser: (userId: number, nowMs: number) =>
    db
      .selectFrom('assistant_grants as grant')
      .innerJoin('domains', 'domains.id', 'grant.domain_id')
      .selectAll('grant')
      .select('domains.name as domain')
      .where('grant.user_id', '=', userId)
      .where('grant.family_hash', 'is not', null)
      .where('grant.expires_at', '>', nowMs)
      .orderBy('grant.created_at', 'desc')
      .orderBy('grant.id')
      .execute(),

  remove: (id: string): Promise<AssistantGrantRow | undefined> =>
    db.deleteFrom('assistant_grants').where('id', '=', id).returningAll().executeTakeFirst(),

  removeOwn: (id: string, userId: number): Promise<AssistantGrantRow | undefined> =>
    db
      .deleteFrom('assistant_grants')
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .returningAll()
      .executeTakeFirst(),

  removeOfUser: (userId: number): Promise<unknown> =>
    db.deleteFrom('assistant_grants').where('user_id', '=', userId).execute(),

  /** Those for a domain in which the user has no role any more. */
  removeFor: (userId: number, domainId: number): Promise<unknown> =>
    db
      .deleteFrom('assistant_grants')
      .where('user_id', '=', userId)
      .where('domain_id', '=', domainId)
      .execute(),

  removeExpired: (nowMs: number): Promise<unknown> =>
    db.deleteFrom('assistant_grants').where('expires_at', '<=', nowMs).execute(),
})
