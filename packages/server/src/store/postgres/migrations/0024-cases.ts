import { type Kysely, sql } from 'kysely'
import { CASE_INDEXES } from '../../sqlite/migrations/0030-cases.ts'
import { ID } from './0001-initial-devices-and-accounts.ts'

/** What people should look at, each with its timeline. */
export async function createCases(db: Kysely<unknown>): Promise<void> {
  await sql`alter table domains add column review_cases bigint not null default 1`.execute(db)
  await sql`alter table domains add column review_hours bigint not null default 24`.execute(db)
  await sql`alter table domains add column case_number bigint not null default 0`.execute(db)
  await sql`
    create table cases (
      id ${sql.raw(ID)},
      domain_id bigint not null,
      number bigint not null,
      title text collate "C" not null,
      subject_type text collate "C" not null,
      subject_value text collate "C" not null,
      source text collate "C" not null,
      status text collate "C" not null,
      priority text collate "C" not null,
      assignee text collate "C",
      due_at bigint not null,
      reviews bigint not null,
      outcome text collate "C",
      opened_by text collate "C" not null,
      opened_at bigint not null,
      changed_at bigint not null,
      closed_at bigint
    )`.execute(db)
  await sql`
    create table case_events (
      id ${sql.raw(ID)},
      domain_id bigint not null,
      case_id bigint not null,
      kind text collate "C" not null,
      at bigint not null,
      author text collate "C" not null,
      request_id bytea,
      reference text collate "C",
      body text collate "C" not null
    )`.execute(db)
  for (const index of CASE_INDEXES) await sql.raw(index).execute(db)
  await sql`create table case_cursor (id bigint primary key, decision_id bigint not null)`.execute(db)
  // What was decided before there were cases opens none.
  await sql`insert into case_cursor select 1, coalesce(max(id), 0) from decisions`.execute(db)
}
