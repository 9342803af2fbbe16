import { type Kysely, sql } from 'kysely'

/** The keys by which verdicts are sealed for a customer's backend, and whether they are. */
export async function addVerdictKeys(db: Kysely<unknown>): Promise<void> {
  await sql`alter table domains add column sealed_verdicts integer not null default 0`.execute(db)
  await sql`alter table domains add column verdict_key blob`.execute(db)
  await sql`alter table domains add column next_verdict_key blob`.execute(db)
  await sql`alter table domains add column next_verdict_from integer`.execute(db)
}
