import { type Kysely, sql } from 'kysely'

/** The program that a visit declares, which few do. The indexes have these rows only. */
export async function addDeclaredAgents(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table identifications
      add column agent_identity text collate "C",
      add column agent_category text collate "C",
      add column agent text collate "C"`.execute(db)
  await sql`create index identifications_agent_time on identifications (domain_id, created_at, id)
    where agent_identity is not null`.execute(db)
  await sql`create index identifications_agent_score on identifications (domain_id, score, created_at, id)
    where agent_identity is not null`.execute(db)
}
