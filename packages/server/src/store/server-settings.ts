import type { Kysely } from 'kysely'
import type { Schema } from './schema.ts'

const ONLY_ROW = 1

/** What the server that started last tells commands about itself, as JSON. */
export const serverSettingsStore = (db: Kysely<Schema>) => ({
  async read(): Promise<string | undefined> {
    const row = await db.selectFrom('server_settings').select('body').executeTakeFirst()
    return row?.body
  },

  replace: (body: string): Promise<unknown> =>
    db
      .insertInto('server_settings')
      .values({ id: ONLY_ROW, body })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ body }))
      .execute(),
})
