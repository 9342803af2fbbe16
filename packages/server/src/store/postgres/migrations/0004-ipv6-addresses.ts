import { type Kysely, sql } from 'kysely'

/** IPv6 addresses of visitors, 16 bytes each, which the column `ip` cannot hold. The index has these rows only. */
export async function addIpv6Addresses(db: Kysely<unknown>): Promise<void> {
  await sql`alter table identifications add column ip6 bytea`.execute(db)
  await sql`create index identifications_ip6 on identifications (domain_id, ip6, created_at)
    where ip6 is not null`.execute(db)
}
