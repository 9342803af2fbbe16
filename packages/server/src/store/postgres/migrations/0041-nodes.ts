import { type Kysely, sql } from 'kysely'

/** The nodes that run, for those that want to reach each other. */
export async function createNodes(db: Kysely<unknown>): Promise<void> {
  await sql`create table nodes (address text collate "C" primary key, seen_at bigint not null)`.execute(db)
}
