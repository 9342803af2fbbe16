import { type Kysely, sql } from 'kysely'

/** What a domain's rules say about declared agents, every version that was ever saved. */
export async function createAgentPolicies(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table agent_policies (
      domain_id bigint not null references domains (id),
      version bigint not null,
      created_at bigint not null,
      actor text collate "C" not null,
      note text collate "C" not null,
      rules text collate "C" not null,
      active bigint not null,
      primary key (domain_id, version)
    )`.execute(db)
  await sql`create unique index agent_policies_one_active on agent_policies (domain_id) where active = 1`.execute(
    db,
  )
}
