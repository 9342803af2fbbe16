import { type Kysely, sql } from 'kysely'

/** Where alerts are sent, what they are about, what happened, and what was sent. */
export async function createAlerts(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table alert_channels (
      id integer primary key autoincrement,
      domain_id integer not null,
      name text not null,
      kind text not null,
      target text not null,
      signed integer not null,
      sealed_settings blob not null,
      created_at integer not null
    )`.execute(db)
  await sql`
    create table alert_rules (
      id integer primary key autoincrement,
      domain_id integer not null,
      name text not null,
      source text not null,
      condition text not null,
      channels text not null,
      group_minutes integer not null,
      enabled integer not null,
      muted_until integer,
      watched_since integer not null,
      bad_checks text,
      created_at integer not null
    )`.execute(db)
  await sql`
    create table alerts (
      id integer primary key autoincrement,
      domain_id integer not null,
      rule_id integer not null,
      uid text not null,
      events integer not null,
      announced integer not null,
      first_at integer not null,
      last_at integer not null,
      ends_at integer not null,
      open integer not null,
      muted integer not null
    )`.execute(db)
  await sql`
    create table alert_events (
      domain_id integer not null,
      rule_id integer not null,
      source_key text not null,
      alert_id integer not null,
      position integer not null,
      at integer not null,
      request_id blob,
      reference text,
      text text not null,
      path text not null,
      primary key (domain_id, rule_id, source_key)
    ) without rowid`.execute(db)
  await sql`
    create table alert_deliveries (
      id integer primary key autoincrement,
      domain_id integer not null,
      alert_id integer not null,
      channel_id integer not null,
      part integer not null,
      attempts integer not null,
      due_at integer,
      sent_at integer,
      answer text
    )`.execute(db)
  for (const index of ALERT_INDEXES) await sql.raw(index).execute(db)
  await sql`create table alert_cursor (id integer primary key, decision_id integer not null)`.execute(db)
  await sql`insert into alert_cursor select 1, coalesce(max(id), 0) from decisions`.execute(db)
}

/** The same in both engines. */
export const ALERT_INDEXES: readonly string[] = [
  'create index alert_channels_domain on alert_channels (domain_id, id)',
  'create index alert_rules_domain on alert_rules (domain_id, id)',
  'create index alerts_domain on alerts (domain_id, id)',
  'create index alerts_last on alerts (domain_id, last_at)',
  'create unique index alerts_open on alerts (domain_id, rule_id) where open = 1',
  'create index alerts_ending on alerts (ends_at) where open = 1',
  'create index alert_events_alert on alert_events (domain_id, alert_id, position)',
  'create index alert_events_request on alert_events (domain_id, request_id) where request_id is not null',
  'create index alert_events_reference on alert_events (domain_id, reference) where reference is not null',
  'create unique index alert_deliveries_message on alert_deliveries (domain_id, alert_id, channel_id, part)',
  'create index alert_deliveries_due on alert_deliveries (due_at) where due_at is not null',
]
