import { type Kysely, sql } from 'kysely'
import { ID } from './0001-initial-devices-and-accounts.ts'

/** What was answered to customers who asked what to do about a visit. A visit answers each purpose once. */
export async function createDecisions(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table decisions (
      id ${sql.raw(ID)},
      domain_id bigint not null,
      request_id bytea not null,
      purpose text collate "C" not null,
      idempotency_key text collate "C",
      asked bytea not null,
      account text collate "C",
      client_address text collate "C",
      question text collate "C" not null,
      answer text collate "C" not null,
      action text collate "C" not null,
      ver bigint not null,
      decided_at bigint not null
    )`.execute(db)
  await sql`create index decisions_id on decisions (domain_id, id)`.execute(db)
  await sql`create unique index decisions_request on decisions (domain_id, request_id, purpose)`.execute(db)
  await sql`create unique index decisions_key on decisions (domain_id, idempotency_key)
    where idempotency_key is not null`.execute(db)
  await sql`create index decisions_account on decisions (domain_id, account) where account is not null`.execute(
    db,
  )
  await sql`create index decisions_address on decisions (domain_id, client_address)
    where client_address is not null`.execute(db)
}
