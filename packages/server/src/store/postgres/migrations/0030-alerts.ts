import { type Kysely, sql } from 'kysely'
import { ALERT_INDEXES } from '../../sqlite/migrations/0032-alerts.ts'
import { ID } from './0001-initial-devices-and-accounts.ts'

/** Where alerts are sent, what they are about, what happened, and what was sent. */
export async function createAlerts(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table alert_channels (
      id ${sql.raw(ID)},
      domain_id bigint not null,
      name text collate "C" not null,
      kind text collate "C" not null,
      target text collate "C" not null,
      signed bigint not null,
      sealed_settings bytea not null,
      created_at bigint not null
    )`.execute(db)
  await sql`
    create table alert_rules (
      id ${sql.raw(ID)},
      domain_id bigint not null,
      name text collate "C" not null,
      source text collate "C" not null,
      condition text collate "C" not null,
      channels text collate "C" not null,
      group_minutes bigint not null,
      enabled bigint not null,
      muted_until bigint,
      watched_since bigint not null,
      bad_checks text collate "C",
      created_at bigint not null
    )`.execute(db)
  await sql`
    create table alerts (
      id ${sql.raw(ID)},
      domain_id bigint not null,
      rule_id bigint not null,
      uid text collate "C" not null,
      events bigint not null,
      announced bigint not null,
      first_at bigint not null,
      last_at bigint not null,
      ends_at bigint not null,
      open bigint not null,
      muted bigint not null
    )`.execute(db)
  await sql`
    create table alert_events (
      domain_id bigint not null,
      rule_id bigint not null,
      source_key text collate "C" not null,
      alert_id bigint not null,
      position bigint not null,
      at bigint not null,
      request_id bytea,
      reference text collate "C",
      text text collate "C" not null,
      path text collate "C" not null,
      primary key (domain_id, rule_id, source_key)
    )`.execute(db)
  await sql`
    create table alert_deliveries (
      id ${sql.raw(ID)},
      domain_id bigint not null,
      alert_id bigint not null,
      channel_id bigint not null,
      part bigint not null,
      attempts bigint not null,
      due_at bigint,
      sent_at bigint,
      answer text collate "C"
    )`.execute(db)
  for (const index of ALERT_INDEXES) await sql.raw(index).execute(db)
  await sql`create table alert_cursor (id bigint primary key, decision_id bigint not null)`.execute(db)
  await sql`insert into alert_cursor select 1, coalesce(max(id), 0) from decisions`.execute(db)
}
