import { type Kysely, sql } from 'kysely'

/** Up to when the keys of devices that are gone have been removed: see `remove-orphan-keys.ts`. */
export async function createKeySweep(db: Kysely<unknown>): Promise<void> {
  await sql`create table key_sweep (id integer primary key, swept_at integer not null)`.execute(db)
}
