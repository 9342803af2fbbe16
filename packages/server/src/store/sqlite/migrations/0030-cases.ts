import { type Kysely, sql } from 'kysely'

/** What people should look at, each with its timeline. */
export async function createCases(db: Kysely<unknown>): Promise<void> {
  await sql`alter table domains add column review_cases integer not null default 1`.execute(db)
  await sql`alter table domains add column review_hours integer not null default 24`.execute(db)
  await sql`alter table domains add column case_number integer not null default 0`.execute(db)
  await sql`
    create table cases (
      id integer primary key autoincrement,
      domain_id integer not null,
      number integer not null,
      title text not null,
      subject_type text not null,
      subject_value text not null,
      source text not null,
      status text not null,
      priority text not null,
      assignee text,
      due_at integer not null,
      reviews integer not null,
      outcome text,
      opened_by text not null,
      opened_at integer not null,
      changed_at integer not null,
      closed_at integer
    )`.execute(db)
  await sql`
    create table case_events (
      id integer primary key autoincrement,
      domain_id integer not null,
      case_id integer not null,
      kind text not null,
      at integer not null,
      author text not null,
      request_id blob,
      reference text,
      body text not null
    )`.execute(db)
  for (const index of CASE_INDEXES) await sql.raw(index).execute(db)
  await sql`create table case_cursor (id integer primary key, decision_id integer not null)`.execute(db)
  // What was decided before there were cases opens none.
  await sql`insert into case_cursor select 1, coalesce(max(id), 0) from decisions`.execute(db)
}

/** The same in both engines. */
export const CASE_INDEXES: readonly string[] = [
  'create unique index cases_number on cases (domain_id, number)',
  "create unique index cases_open_subject on cases (domain_id, subject_type, subject_value) where status <> 'closed'",
  'create index cases_subject on cases (domain_id, subject_type, subject_value, id)',
  "create index cases_queue on cases (domain_id, due_at, id) where status <> 'closed'",
  "create index cases_assigned on cases (domain_id, assignee, due_at, id) where status <> 'closed'",
  "create index cases_closed on cases (domain_id, closed_at, id) where status = 'closed'",
  'create index case_events_case on case_events (domain_id, case_id, id)',
  'create index case_events_request on case_events (domain_id, request_id) where request_id is not null',
  'create index case_events_reference on case_events (reference, domain_id) where reference is not null',
]
