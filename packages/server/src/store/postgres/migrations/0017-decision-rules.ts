import { type Kysely, sql } from 'kysely'

/** The rules that decide what happens to a visit, every version that was ever saved, and how often they met. */
export async function createDecisionRules(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table decision_rules (
      domain_id bigint not null references domains (id),
      rule_id bigint not null,
      version bigint not null,
      created_at bigint not null,
      actor text collate "C" not null,
      name text collate "C" not null,
      condition text collate "C" not null,
      effect text collate "C" not null,
      priority bigint not null,
      purposes text collate "C",
      state text collate "C" not null,
      latest bigint not null,
      primary key (domain_id, rule_id, version)
    )`.execute(db)
  await sql`
    create unique index decision_rules_one_latest on decision_rules (domain_id, rule_id) where latest = 1`.execute(
    db,
  )
  await sql`
    create table decision_thresholds (
      domain_id bigint not null primary key references domains (id),
      review bigint,
      challenge bigint,
      deny bigint
    )`.execute(db)
  await sql`
    create table decision_rule_hits (
      domain_id bigint not null,
      rule_id bigint not null,
      day bigint not null,
      state text collate "C" not null,
      met bigint not null,
      failed bigint not null,
      primary key (domain_id, rule_id, day, state)
    )`.execute(db)
}
