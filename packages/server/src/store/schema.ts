import type { Generated } from 'kysely'

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

/** What is remembered of devices. */
export interface DeviceTables {
  devices: DeviceTable
  device_keys: DeviceKeyTable
  key_spreads: KeySpreadTable
  device_aliases: DeviceAliasTable
  unlisted_keys: UnlistedKeysTable
  listing_run: ListingRunTable
}

export interface DeviceTable {
  /** The number by which keys name it. */
  id: Generated<number>
  domain_id: number
  device_id: Uint8Array
  last_at: number
  /** JSON of the profile, all but its keys. */
  profile: string
  /** The profile's keys, 64-bit floats. */
  keys: Uint8Array
}

/** The devices that have a key, or only the newest where they are many; the largest ordinal says how many. */
export interface DeviceKeyTable {
  domain_id: number
  key: number
  ordinal: number
  /** `devices.id` */
  device: number
}

/** How many keys of a kind are one device's alone, and how many are shared by just two. */
export interface KeySpreadTable {
  domain_id: number
  /** Key of a system and browser. */
  family: number
  kind: number
  once: number
  twice: number
}

/** A device ID that proved to be another name of a device. History keeps what it said. */
export interface DeviceAliasTable {
  domain_id: number
  device_id: Uint8Array
  merged_into: Uint8Array
  created_at: number
}

/** Keys of a device that are to be listed in `device_keys`. */
export interface UnlistedKeysTable {
  id: Generated<number>
  domain_id: number
  /** Key of a system and browser, under which spreads are kept. */
  family: number
  /** `devices.id` */
  device: number
  /** Key, kind and whether it is listed, in turn; 64-bit floats. */
  keys: Uint8Array
}

/** How far the keys of the rows up to `through` are listed, in the order of domain and key; no row between two runs. */
export interface ListingRunTable {
  id: number
  through: number
  domain_id: number
  key: number
}

/** Weights of a domain's own. */
export interface DomainRulesTables {
  domain_rules: DomainRulesTable
}

/** One version as it was saved. Only `active` ever changes. */
export interface DomainRulesTable {
  domain_id: number
  /** 1 for a domain's first one. */
  version: number
  created_at: number
  /** E-mail address of whoever saved it. */
  actor: string
  note: string
  /** JSON object of points by signal name. */
  weights: string
  /** 1 for the one that scores visits; where none has it, the weights of the release do. */
  active: number
}

/** Counts that stand for identifications. They name nobody: what tells people apart is never in them. */
export interface RollupTables {
  rollups: RollupTable
  rollup_progress: RollupProgressTable
}

/** How often a value of a dimension occurred in an hour or a day. */
export interface RollupTable {
  domain_id: number
  /** 1 or 24. */
  span_hours: number
  /** A `ROLLUP_DIMENSIONS` name. */
  dimension: string
  /** Beginning of the hour or the day, in UTC. */
  start: number
  /**
   * As in the row; empty for the row's empty value. Of `device` and `visitor`: when the same one was here before,
   * as `rollup-contributions.ts` tells.
   */
  value: string
  identifications: number
  /** Those that have a score: all but the ones over the ingest limit. */
  scored: number
  score_sum: number
  /** What a signal added to scores; 0 of everything else. */
  points_sum: number
}

/** One row. */
export interface RollupProgressTable {
  id: number
  /** The last identification that is counted. */
  last_id: number
  /** Grows with each removal that touches identifications which are yet to be counted. */
  removals: number
}

/** What the abuse patterns found. */
export interface PatternTables {
  pattern_findings: PatternFindingTable
  pattern_rows: PatternRowTable
  pattern_cursor: PatternCursorTable
}

/** One pattern on one entity; the same row through all of its grades. */
export interface PatternFindingTable {
  id: Generated<number>
  domain_id: number
  pattern: string
  entity_type: string
  /** As the wire has it. */
  entity_value: string
  /** The last one, when it no longer holds. */
  grade: 'suspicious' | 'dangerous'
  count: number
  /** Counts at which the grades began, for the average score at that time. */
  suspicious_from: number
  dangerous_from: number
  average_score: number
  /** Times of the rows that made it. */
  first_at: number
  last_at: number
  judged_at: number
  /** When it is looked at again without new rows; NULL when it no longer holds. */
  recheck_at: number | null
  resolved_at: number | null
}

/** The identifications that made a finding: they are its whole evidence, so that erasing them leaves none. */
export interface PatternRowTable {
  domain_id: number
  finding_id: number
  identification_id: number
}

/** Up to which identification the patterns were looked for. */
export interface PatternCursorTable {
  id: number
  identification_id: number
}
