import { type Kysely, sql } from 'kysely'

/** Endpoints may be told of merged and split devices, and what had the other ID of a device is found by either. */
export async function addDeviceChanges(db: Kysely<unknown>): Promise<void> {
  await sql`alter table endpoints add column device_events bigint not null default 0`.execute(db)
  await sql`create index device_aliases_target on device_aliases (domain_id, merged_into)`.execute(db)
}
