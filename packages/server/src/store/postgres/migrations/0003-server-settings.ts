import { type Kysely, sql } from 'kysely'

/** What commands need to know of the servers, which may have other environment variables. */
export async function createServerSettings(db: Kysely<unknown>): Promise<void> {
  await sql`create table server_settings (id bigint primary key, body text collate "C" not null)`.execute(db)
}
