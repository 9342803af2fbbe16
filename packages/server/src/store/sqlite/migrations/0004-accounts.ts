import { type Kysely, sql } from 'kysely'

/** People who sign in to the dashboard, what they changed, and how their questions find rows. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('users')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('email', 'text', (column) => column.notNull().unique())
    .addColumn('password_hash', 'text', (column) => column.notNull())
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('created_at', 'integer', (column) => column.notNull())
    .execute()

  await db.schema
    .createTable('sessions')
    // Never used again: an access token names it, and must not open a later session.
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('user_id', 'integer', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('family', 'blob', (column) => column.notNull().unique())
    .addColumn('token_hash', 'blob', (column) => column.notNull())
    .addColumn('created_at', 'integer', (column) => column.notNull())
    .addColumn('expires_at', 'integer', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('sessions_expiry').on('sessions').column('expires_at').execute()
  await db.schema.createIndex('sessions_user').on('sessions').column('user_id').execute()

  await db.schema
    .createTable('audit')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('at', 'integer', (column) => column.notNull())
    .addColumn('actor', 'text', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('target', 'text', (column) => column.notNull())
    .addColumn('detail', 'text', (column) => column.notNull())
    .execute()

  await db.schema
    .createIndex('identifications_score')
    .on('identifications')
    .columns(['domain_id', 'score', 'created_at'])
    .execute()
  await db.schema
    .createIndex('deliveries_by_request')
    .on('deliveries')
    .columns(['domain_id', 'request_id'])
    .execute()
  await db.schema
    .createIndex('deliveries_failed')
    .on('deliveries')
    .columns(['domain_id', 'endpoint_id', 'id'])
    .where(sql<boolean>`status is null or status < 200 or status >= 300`)
    .execute()
}
