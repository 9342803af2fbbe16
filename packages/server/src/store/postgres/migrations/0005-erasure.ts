import { type Kysely, sql } from 'kysely'

/** The addresses that rows have beside their own. */
export async function indexOtherAddresses(db: Kysely<unknown>): Promise<void> {
  // The network check mostly sees the row's own address, which has an index already.
  for (const column of ['web_rtc_ip', 'scanner_web_rtc_ip'] as const)
    await sql`
      create index ${sql.id(`identifications_${column}`)} on identifications (domain_id, ${sql.id(column)})
      where ${sql.id(column)} is not null and ${sql.id(column)} is distinct from ip`.execute(db)
}
