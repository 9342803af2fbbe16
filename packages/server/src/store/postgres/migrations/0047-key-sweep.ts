import { type Kysely, sql } from 'kysely'

/** Up to when the keys of devices that are gone have been removed: see `remove-orphan-keys.ts`. */
export async function createKeySweep(db: Kysely<unknown>): Promise<void> {
  await sql`create table key_sweep (id bigint primary key, swept_at bigint not null)`.execute(db)
}
