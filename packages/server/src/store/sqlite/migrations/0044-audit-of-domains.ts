import { type Kysely, sql } from 'kysely'

/** For the owners of a domain, who read what changed there. */
export async function indexAuditByTarget(db: Kysely<unknown>): Promise<void> {
  await sql`create index audit_by_target on audit (target, at, id)`.execute(db)
}
