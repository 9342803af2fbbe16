import { type Kysely, sql } from 'kysely'

/** IPv6 addresses of visitors, 16 bytes each, which the column `ip` cannot hold. The index has these rows only. */
export async function addIpv6Addresses(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable('identifications').addColumn('ip6', 'blob').execute()
  await db.schema
    .createIndex('identifications_ip6')
    .on('identifications')
    .columns(['domain_id', 'ip6', 'created_at'])
    .where(sql<boolean>`ip6 is not null`)
    .execute()
}
