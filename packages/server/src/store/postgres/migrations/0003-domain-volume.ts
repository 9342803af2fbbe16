import { type Kysely, sql } from 'kysely'

/** Volume of a domain for which nobody set one. */
const INITIAL_VOLUME = 1_000_000

/**
 * Whether somebody set the volume of a domain. Of earlier changes the audit log knows those made in the dashboard, and
 * a volume above the initial one was set as well.
 */
export async function addDomainVolume(db: Kysely<unknown>): Promise<void> {
  await sql`alter table domains add column has_volume bigint not null default 0`.execute(db)
  await sql`
    update domains set has_volume = 1
    where remaining > ${INITIAL_VOLUME} or exists (
      select 1 from audit
      where action = 'domain.change' and target = domains.name and detail like '%"remaining"%')`.execute(db)
}
