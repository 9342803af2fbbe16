import { type Kysely, sql } from 'kysely'
import { UNMEASURED_BYTES } from '../../stored-bytes.ts'

/** How much each domain stores, what it may store, and the origins that its owner allows. */
export async function addStoredBytes(db: Kysely<unknown>): Promise<void> {
  await sql`alter table identifications add column bytes bigint`.execute(db)
  await sql`alter table domains
    add column stored_bytes bigint not null default 0,
    add column disk_budget bigint,
    add column origins text collate "C"`.execute(db)
  await sql`update domains set stored_bytes = ${UNMEASURED_BYTES}::bigint *
    (select count(*) from identifications where identifications.domain_id = domains.id)`.execute(db)
}
