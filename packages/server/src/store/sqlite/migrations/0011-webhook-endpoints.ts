import type { Kysely } from 'kysely'

/** The secret before a rotation stays valid for a while, and an endpoint whose sends fail for days is disabled. */
export async function addEndpointFailures(db: Kysely<unknown>): Promise<void> {
  const endpoints = () => db.schema.alterTable('endpoints')
  await endpoints().addColumn('previous_secret', 'blob').execute()
  await endpoints().addColumn('previous_until', 'integer').execute()
  await endpoints().addColumn('failing_since', 'integer').execute()
  await endpoints()
    .addColumn('failed_sends', 'integer', (column) => column.notNull().defaultTo(0))
    .execute()
  await endpoints().addColumn('disabled_at', 'integer').execute()
}
