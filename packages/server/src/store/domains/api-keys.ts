import type { Insertable, Kysely, Selectable } from 'kysely'
import type { ApiKeyTable } from '../domain-tables.ts'
import { engineSql } from '../engine-sql.ts'
import type { Schema } from '../schema.ts'
import { bumpDirectoryVersion } from './domains.ts'

export type ApiKeyRow = Selectable<ApiKeyTable>
export type ApiKeyChange = Partial<
  Pick<ApiKeyRow, 'key_hash' | 'key_tail' | 'rotated_at' | 'previous_hash' | 'previous_until' | 'expires_at'>
>

/** Named API keys. `db` is a connection or an open transaction. */
export const apiKeyStore = (db: Kysely<Schema>) => ({
  listAll: (): Promise<ApiKeyRow[]> => db.selectFrom('api_keys').selectAll().execute(),

  list: (domainId: number): Promise<ApiKeyRow[]> =>
    db.selectFrom('api_keys').selectAll().where('domain_id', '=', domainId).orderBy('name').execute(),

  /** Needs a transaction, which the next one to change the key waits for. */
  findToChange(domainId: number, id: string): Promise<ApiKeyRow | undefined> {
    const row = db.selectFrom('api_keys').selectAll().where('domain_id', '=', domainId).where('id', '=', id)
    return engineSql(db).locking(row).executeTakeFirst()
  },

  async count(domainId: number): Promise<number> {
    const { keys } = await db
      .selectFrom('api_keys')
      .select(({ fn }) => fn.countAll<number>().as('keys'))
      .where('domain_id', '=', domainId)
      .executeTakeFirstOrThrow()
    return keys
  },

  /** Undefined if the name is taken. */
  async add(row: Insertable<ApiKeyTable>): Promise<ApiKeyRow | undefined> {
    const added = await db
      .insertInto('api_keys')
      .values(row)
      .onConflict((conflict) => conflict.columns(['domain_id', 'name']).doNothing())
      .returningAll()
      .executeTakeFirst()
    if (added) await bumpDirectoryVersion(db)
    return added
  },

  async change(domainId: number, id: string, change: ApiKeyChange): Promise<ApiKeyRow | undefined> {
    const changed = await db
      .updateTable('api_keys')
      .set(change)
      .where('domain_id', '=', domainId)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst()
    if (changed) await bumpDirectoryVersion(db)
    return changed
  },

  async remove(domainId: number, id: string): Promise<ApiKeyRow | undefined> {
    const removed = await db
      .deleteFrom('api_keys')
      .where('domain_id', '=', domainId)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst()
    if (removed) await bumpDirectoryVersion(db)
    return removed
  },

  /** Servers need not know of it, and several may write the same. */
  recordUse: (domainId: number, id: string, hourMs: number): Promise<unknown> =>
    db
      .updateTable('api_keys')
      .set({ used_at: hourMs })
      .where('domain_id', '=', domainId)
      .where('id', '=', id)
      .where((key) => key.or([key('used_at', 'is', null), key('used_at', '<', hourMs)]))
      .execute(),
})
