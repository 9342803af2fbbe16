import type { Insertable, Kysely, Selectable } from 'kysely'
import type { PasskeyTable } from '../people-tables.ts'
import type { Schema } from '../schema.ts'

export type PasskeyRow = Selectable<PasskeyTable>

/** Passkeys and security keys of users. `db` is a connection or an open transaction. */
export const passkeyStore = (db: Kysely<Schema>) => ({
  list: (userId: number): Promise<PasskeyRow[]> =>
    db.selectFrom('passkeys').selectAll().where('user_id', '=', userId).orderBy('id').execute(),

  find: (credentialId: string): Promise<PasskeyRow | undefined> =>
    db.selectFrom('passkeys').selectAll().where('credential_id', '=', credentialId).executeTakeFirst(),

  /** Undefined if the credential is known. */
  add: (row: Insertable<PasskeyTable>): Promise<PasskeyRow | undefined> =>
    db
      .insertInto('passkeys')
      .values(row)
      .onConflict((conflict) => conflict.column('credential_id').doNothing())
      .returningAll()
      .executeTakeFirst(),

  /** False if there is no such passkey any more. */
  async used(id: number, counter: number, nowMs: number): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('passkeys')
      .set({ counter, used_at: nowMs })
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return numUpdatedRows > 0n
  },

  /** Undefined if the user has no such passkey. */
  remove: (id: number, userId: number): Promise<PasskeyRow | undefined> =>
    db
      .deleteFrom('passkeys')
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .returningAll()
      .executeTakeFirst(),

  removeAll: (userId: number): Promise<unknown> =>
    db.deleteFrom('passkeys').where('user_id', '=', userId).execute(),

  /** The users who have one. */
  async userIds(): Promise<Set<number>> {
    const rows = await db.selectFrom('passkeys').select('user_id').distinct().execute()
    return new Set(rows.map((row) => row.user_id))
  },
})

/** Recovery codes by user, as hashes. `db` is a connection or an open transaction. */
export const recoveryCodeStore = (db: Kysely<Schema>) => ({
  async count(userId: number): Promise<number> {
    const row = await db
      .selectFrom('recovery_codes')
      .select(({ fn }) => fn.countAll<number>().as('codes'))
      .where('user_id', '=', userId)
      .executeTakeFirstOrThrow()
    return row.codes
  },

  async replace(userId: number, hashes: readonly Uint8Array[]): Promise<void> {
    await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
    if (hashes.length > 0)
      await db
        .insertInto('recovery_codes')
        .values(hashes.map((code_hash) => ({ user_id: userId, code_hash })))
        .execute()
  },

  async has(userId: number, codeHash: Uint8Array): Promise<boolean> {
    const row = await db
      .selectFrom('recovery_codes')
      .select('user_id')
      .where('user_id', '=', userId)
      .where('code_hash', '=', codeHash)
      .executeTakeFirst()
    return row !== undefined
  },

  /** Uses a code up. False if the user has no such code. */
  async use(userId: number, codeHash: Uint8Array): Promise<boolean> {
    const { numDeletedRows } = await db
      .deleteFrom('recovery_codes')
      .where('user_id', '=', userId)
      .where('code_hash', '=', codeHash)
      .executeTakeFirstOrThrow()
    return numDeletedRows > 0n
  },
})
