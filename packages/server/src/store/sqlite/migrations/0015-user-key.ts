import type { Kysely } from 'kysely'

/** The key by which a customer's backend signs account identifiers, and whether unsigned ones are dropped. */
export async function addUserKey(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('domains').addColumn('sealed_user_key', 'blob').execute()
  await db.schema
    .alterTable('domains')
    .addColumn('signed_users_only', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
}
