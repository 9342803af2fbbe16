import { type Kysely, sql } from 'kysely'
import { ID } from './0001-initial-devices-and-accounts.ts'

/** Allow, deny and watch lists, and what customers found out about their visitors. */
export async function createListsAndLabels(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table list_entries (
      id ${sql.raw(ID)},
      domain_id bigint not null,
      list text collate "C" not null,
      kind text collate "C" not null,
      value text collate "C" not null,
      reason text collate "C" not null,
      author text collate "C" not null,
      expires_at bigint,
      created_at bigint not null
    )`.execute(db)
  await sql`create unique index list_entries_value on list_entries (domain_id, kind, value, list)`.execute(db)
  await sql`create index list_entries_id on list_entries (domain_id, id)`.execute(db)

  await sql`create table list_versions (domain_id bigint primary key, version bigint not null)`.execute(db)

  await sql`
    create table labels (
      id ${sql.raw(ID)},
      domain_id bigint not null,
      kind text collate "C" not null,
      subject_type text collate "C" not null,
      subject_value text collate "C" not null,
      source text collate "C" not null,
      at bigint not null,
      note text collate "C" not null,
      author text collate "C" not null,
      created_at bigint not null
    )`.execute(db)
  await sql`create unique index labels_subject
    on labels (domain_id, subject_type, subject_value, kind, source)`.execute(db)
  await sql`create index labels_id on labels (domain_id, id)`.execute(db)
}
