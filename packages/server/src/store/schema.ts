import type { Generated } from 'kysely'
import type { DeviceTables } from './device-tables.ts'
import type { DomainRulesTables } from './domain-rules-tables.ts'
import type { PatternTables } from './pattern-tables.ts'
import type { RollupTables } from './rollup-tables.ts'

/**
 * The tables, the same on every engine. UUIDs are 16 bytes, times are Unix milliseconds, IPv4 addresses
 * are unsigned 32-bit numbers. NULL stands for the row's empty value, which costs no space.
 */
export interface Schema extends DeviceTables, RollupTables, DomainRulesTables, PatternTables {
  domains: DomainTable
  endpoints: EndpointTable
  identifications: IdentificationTable
  snapshots: SnapshotTable
  versions: VersionTable
  sticky_verdicts: StickyVerdictTable
  outbox: OutboxTable
  deliveries: DeliveryTable
  directory_version: { id: number; version: number }
  users: UserTable
  sessions: SessionTable
  audit: AuditTable
}

export interface DomainTable {
  id: Generated<number>
  name: string
  /** 0 or 1. */
  enabled: number
  /** Included identifications left; negative when over the volume. */
  remaining: number
  created_at: number
  /** Random UUID under which this domain's device and visitor IDs are made. */
  namespace: Uint8Array
  public_key: string
  secret_key_hash: Uint8Array
  secret_key_tail: string
  api_key_hash: Uint8Array
}

export interface EndpointTable {
  id: Generated<number>
  domain_id: number
  url: string
  sealed_secret: Uint8Array
  state: 'unverified' | 'verified' | 'failed'
  /** 0 or 1. */
  enabled: number
  /** 1 for the one endpoint that the older callback route sets. */
  is_callback: number
  /** 0 or 1: whether `pattern.changed` is sent to it. */
  pattern_events: number
  created_at: number
}

export interface IdentificationTable {
  id: Generated<number>
  domain_id: number
  /** NULL for the nil UUID of markers, so that every other one is unique. */
  request_id: Uint8Array | null
  session_id: Uint8Array
  cookie_id: Uint8Array
  device_id: Uint8Array
  visitor_id: Uint8Array
  user_hid: string
  created_at: number
  ver: number
  host: string
  ip: number | null
  os: string
  browser: string
  device_type: string
  country: string | null
  connection_type: string
  score: number
  /** One bit per detection flag, in the order of the contract's list. */
  flags: number
  /** JSON of the verdict: entries with evidence, clear and unknown signals, identity components. */
  verdict: string
  web_rtc_ip: number | null
  web_rtc_country: string | null
  web_rtc_connection_type: string | null
  scanner_web_rtc_ip: number | null
  scanner_web_rtc_country: string | null
  scanner_web_rtc_connection_type: string | null
  webrtc_leak_ip: number | null
  webrtc_leak_country: string | null
  webrtc_leak_connection_type: string | null
  webrtc_leak_source: string | null
  tcp_mss: number | null
  mtu_value: number | null
  mtu_hint: string | null
  stun_request_seen: number | null
  is_scanner_stun_passed: number | null
  stun_flow_status: string | null
  entry_url: string | null
  utm_source: string | null
  utm_medium: string | null
  utm_campaign: string | null
  utm_content: string | null
  utm_term: string | null
  traffic_channel: string | null
  traffic_channel_group: string | null
  traffic_reason: string | null
  referrer_domain: string | null
  click_id_type: string | null
}

/** What an identification said before it was refined. */
export interface VersionTable {
  domain_id: number
  identification_id: number
  ver: number
  score: number
  flags: number
  connection_type: string
  verdict: string
}

/** A strong verdict on a device that its later visits from the same address meet again. */
export interface StickyVerdictTable {
  id: Generated<number>
  domain_id: number
  device_id: Uint8Array
  address: string
  /** Signal name and description of the original entry. */
  name: string
  description: string
  request_id: Uint8Array
  created_at: number
}

export interface SnapshotTable {
  /** The identification it belongs to. */
  identification_id: number
  domain_id: number
  /** zstd-compressed JSON of what came in. */
  body: Uint8Array
}

export interface OutboxTable {
  id: Generated<number>
  domain_id: number
  endpoint_id: number
  request_id: Uint8Array
  /** Stable across retries. */
  event_id: Uint8Array
  /** The exact bytes to send. */
  body: Uint8Array
  /** Sends so far. */
  attempts: number
  /** Until then the process that wrote or claimed the entry has it to itself. */
  due_at: number
}

export interface DeliveryTable {
  id: Generated<number>
  domain_id: number
  endpoint_id: number
  request_id: Uint8Array
  event_id: Uint8Array
  event_type: string
  /** 1 for the first send. */
  attempt: number
  sent_at: number
  duration_ms: number
  /** HTTP status; NULL when no answer came. */
  status: number | null
  /** Why no answer came. */
  error: string | null
  body: Uint8Array
}

/** Somebody who signs in to the dashboard. */
export interface UserTable {
  id: Generated<number>
  /** In lower case. */
  email: string
  /** PHC string of argon2id. */
  password_hash: string
  role: 'owner' | 'analyst'
  created_at: number
}

/** One login. Its refresh token changes with each use; only the latest one is good. */
export interface SessionTable {
  id: Generated<number>
  user_id: number
  /** The part that all refresh tokens of one login share. */
  family: Uint8Array
  /** SHA-256 of the latest refresh token. */
  token_hash: Uint8Array
  created_at: number
  expires_at: number
}

/** Who changed what. Neither secrets nor identifiers of visitors: an erasure must leave no trace here. */
export interface AuditTable {
  id: Generated<number>
  at: number
  /** E-mail address, or `command line`. */
  actor: string
  /** Such as `domain.add`. */
  action: string
  /** What was changed, such as a domain. */
  target: string
  /** JSON object of what it became. */
  detail: string
}
