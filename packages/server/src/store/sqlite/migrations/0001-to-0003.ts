import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** The first layout. Every table but `domains` leads with `domain_id`, so that it can be sharded. */
async function createFirstTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('domains')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('name', 'text', (column) => column.notNull().unique())
    .addColumn('enabled', 'integer', (column) => column.notNull())
    .addColumn('remaining', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'integer', (column) => column.notNull())
    .addColumn('namespace', 'blob', (column) => column.notNull())
    .addColumn('public_key', 'text', (column) => column.notNull().unique())
    .addColumn('secret_key_hash', 'blob', (column) => column.notNull())
    .addColumn('secret_key_tail', 'text', (column) => column.notNull())
    .addColumn('api_key_hash', 'blob', (column) => column.notNull().unique())
    .execute()

  await db.schema
    .createTable('endpoints')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('domain_id', 'integer', (column) => column.notNull().references('domains.id'))
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('sealed_secret', 'blob', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('enabled', 'integer', (column) => column.notNull())
    .addColumn('is_callback', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'integer', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('endpoints_one_callback')
    .unique()
    .on('endpoints')
    .column('domain_id')
    .where(sql.ref('is_callback'), '=', 1)
    .execute()

  await createIdentifications(db)

  await db.schema
    .createTable('snapshots')
    .addColumn('identification_id', 'integer', (column) => column.primaryKey())
    .addColumn('domain_id', 'integer', (column) => column.notNull())
    .addColumn('body', 'blob', (column) => column.notNull())
    .execute()

  await db.schema
    .createTable('outbox')
    // Never used again: a late record of one send must not remove another entry.
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('domain_id', 'integer', (column) => column.notNull())
    .addColumn('endpoint_id', 'integer', (column) => column.notNull())
    .addColumn('request_id', 'blob', (column) => column.notNull())
    .addColumn('event_id', 'blob', (column) => column.notNull())
    .addColumn('body', 'blob', (column) => column.notNull())
    .addColumn('attempts', 'integer', (column) => column.notNull())
    .addColumn('due_at', 'integer', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('outbox_due').on('outbox').column('due_at').execute()

  await db.schema
    .createTable('deliveries')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('domain_id', 'integer', (column) => column.notNull())
    .addColumn('endpoint_id', 'integer', (column) => column.notNull())
    .addColumn('request_id', 'blob', (column) => column.notNull())
    .addColumn('event_id', 'blob', (column) => column.notNull())
    .addColumn('event_type', 'text', (column) => column.notNull())
    .addColumn('attempt', 'integer', (column) => column.notNull())
    .addColumn('sent_at', 'integer', (column) => column.notNull())
    .addColumn('duration_ms', 'integer', (column) => column.notNull())
    .addColumn('status', 'integer')
    .addColumn('error', 'text')
    .addColumn('body', 'blob', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('deliveries_by_endpoint')
    .on('deliveries')
    .columns(['domain_id', 'endpoint_id', 'id'])
    .execute()

  await db.schema
    .createTable('directory_version')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('version', 'integer', (column) => column.notNull())
    .execute()
  await sql`insert into directory_version (id, version) values (1, 1)`.execute(db)
}

const OPTIONAL_INTEGERS = [
  'ip',
  'web_rtc_ip',
  'scanner_web_rtc_ip',
  'webrtc_leak_ip',
  'tcp_mss',
  'mtu_value',
  'stun_request_seen',
  'is_scanner_stun_passed',
]
const OPTIONAL_TEXTS = [
  'country',
  'web_rtc_country',
  'web_rtc_connection_type',
  'scanner_web_rtc_country',
  'scanner_web_rtc_connection_type',
  'webrtc_leak_country',
  'webrtc_leak_connection_type',
  'webrtc_leak_source',
  'mtu_hint',
  'stun_flow_status',
  'entry_url',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_content',
  'utm_term',
  'traffic_channel',
  'traffic_channel_group',
  'traffic_reason',
  'referrer_domain',
  'click_id_type',
]

async function createIdentifications(db: Kysely<unknown>): Promise<void> {
  let table = db.schema
    .createTable('identifications')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('domain_id', 'integer', (column) => column.notNull())
  table = table.addColumn('request_id', 'blob')
  for (const name of ['session_id', 'cookie_id', 'device_id', 'visitor_id'])
    table = table.addColumn(name, 'blob', (column) => column.notNull())
  for (const name of ['created_at', 'ver', 'score', 'flags'])
    table = table.addColumn(name, 'integer', (column) => column.notNull())
  for (const name of ['user_hid', 'host', 'os', 'browser', 'device_type', 'connection_type', 'verdict'])
    table = table.addColumn(name, 'text', (column) => column.notNull())
  for (const name of OPTIONAL_INTEGERS) table = table.addColumn(name, 'integer')
  for (const name of OPTIONAL_TEXTS) table = table.addColumn(name, 'text')
  await table.execute()

  // A request ID is used once, whatever the domain. Markers of malformed IDs have none.
  await db.schema
    .createIndex('identifications_request')
    .unique()
    .on('identifications')
    .column('request_id')
    .execute()
  await db.schema
    .createIndex('identifications_time')
    .on('identifications')
    .columns(['domain_id', 'created_at'])
    .execute()
  for (const name of ['device_id', 'visitor_id', 'session_id', 'cookie_id', 'ip', 'user_hid'])
    await db.schema
      .createIndex(`identifications_${name}`)
      .on('identifications')
      .columns(['domain_id', name, 'created_at'])
      .execute()
}

/** What a refinement needs: the versions it replaces, and verdicts that later visits of a device meet again. */
async function createRefinementTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('versions')
    .addColumn('domain_id', 'integer', (column) => column.notNull())
    .addColumn('identification_id', 'integer', (column) => column.notNull())
    .addColumn('ver', 'integer', (column) => column.notNull())
    .addColumn('score', 'integer', (column) => column.notNull())
    .addColumn('flags', 'integer', (column) => column.notNull())
    .addColumn('connection_type', 'text', (column) => column.notNull())
    .addColumn('verdict', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('versions_key', ['domain_id', 'identification_id', 'ver'])
    .modifyEnd(sql`without rowid`)
    .execute()

  await db.schema
    .createTable('sticky_verdicts')
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('domain_id', 'integer', (column) => column.notNull())
    .addColumn('device_id', 'blob', (column) => column.notNull())
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('description', 'text', (column) => column.notNull())
    .addColumn('request_id', 'blob', (column) => column.notNull())
    .addColumn('created_at', 'integer', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('sticky_verdicts_device')
    .on('sticky_verdicts')
    .columns(['domain_id', 'device_id', 'address'])
    .execute()
}

/** What is remembered of devices: their profiles, the keys that find them, and devices that proved to be one. */
async function createDeviceTables(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable('devices')
    // Never used again: keys of an erased device must not find another one.
    .addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
    .addColumn('domain_id', 'integer', (column) => column.notNull())
    .addColumn('device_id', 'blob', (column) => column.notNull())
    .addColumn('last_at', 'integer', (column) => column.notNull())
    .addColumn('profile', 'text', (column) => column.notNull())
    .addColumn('keys', 'blob', (column) => column.notNull())
    .execute()
  // One winner where two processes meet a new device at once.
  await db.schema
    .createIndex('devices_device')
    .unique()
    .on('devices')
    .columns(['domain_id', 'device_id'])
    .execute()

  await db.schema
    .createTable('device_keys')
    .addColumn('domain_id', 'integer', (column) => column.notNull())
    .addColumn('key', 'integer', (column) => column.notNull())
    .addColumn('ordinal', 'integer', (column) => column.notNull())
    .addColumn('device', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('device_keys_key', ['domain_id', 'key', 'ordinal'])
    .modifyEnd(sql`without rowid`)
    .execute()

  await db.schema
    .createTable('key_spreads')
    .addColumn('domain_id', 'integer', (column) => column.notNull())
    .addColumn('family', 'integer', (column) => column.notNull())
    .addColumn('kind', 'integer', (column) => column.notNull())
    .addColumn('once', 'integer', (column) => column.notNull())
    .addColumn('twice', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('key_spreads_key', ['domain_id', 'family', 'kind'])
    .modifyEnd(sql`without rowid`)
    .execute()

  await db.schema
    .createTable('device_aliases')
    .addColumn('domain_id', 'integer', (column) => column.notNull())
    .addColumn('device_id', 'blob', (column) => column.notNull())
    .addColumn('merged_into', 'blob', (column) => column.notNull())
    .addColumn('created_at', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('device_aliases_key', ['domain_id', 'device_id'])
    .modifyEnd(sql`without rowid`)
    .execute()
}

/** By the name under which databases record them: neither a name nor a migration may ever change. */
export const FIRST_MIGRATIONS = {
  '0001-initial': { up: createFirstTables },
  '0002-refinement': { up: createRefinementTables },
  '0003-devices': { up: createDeviceTables },
} satisfies Record<string, Migration>
