import type { DecisionAction, DecisionPurpose, DecisionRuleState } from '@inkling/contract'
import type { Generated } from 'kysely'
import type { DELIVERY, IDENTIFICATION, OUTBOX_ENTRY, RowOf, STICKY_VERDICT } from './columns.ts'
import type {
  AuditTable,
  InvitationTable,
  LoginStepTable,
  PasskeyTable,
  RecoveryCodeTable,
  SessionTable,
  UserTable,
} from './people-tables.ts'

/**
 * The tables, the same in both engines. UUIDs are 16 bytes, times are Unix milliseconds, IPv4 addresses are unsigned
 * 32-bit numbers. NULL stands for an empty value and takes no space.
 */
export interface Schema {
  domains: DomainTable
  endpoints: EndpointTable
  domain_rules: DomainRulesTable
  agent_policies: AgentPolicyTable
  decision_rules: DecisionRuleTable
  decision_thresholds: DecisionThresholdTable
  decision_rule_hits: DecisionRuleHitTable
  decisions: DecisionTable
  list_entries: ListEntryTable
  list_versions: ListVersionTable
  labels: LabelTable
  cases: CaseTable
  case_events: CaseEventTable
  case_cursor: CaseCursorTable
  directory_version: DirectoryVersionTable
  installation: InstallationTable
  server_settings: ServerSettingsTable
  users: UserTable
  sessions: SessionTable
  recovery_codes: RecoveryCodeTable
  passkeys: PasskeyTable
  invitations: InvitationTable
  login_steps: LoginStepTable
  audit: AuditTable
  identifications: IdentificationTable
  snapshots: SnapshotTable
  versions: VersionTable
  sticky_verdicts: StickyVerdictTable
  velocity: VelocityTable
  outbox: OutboxTable
  deliveries: DeliveryTable
  devices: DeviceTable
  device_keys: DeviceKeyTable
  key_spreads: KeySpreadTable
  device_aliases: DeviceAliasTable
  unlisted_keys: UnlistedKeysTable
  listing_run: ListingRunTable
  rollups: RollupTable
  rollup_progress: RollupProgressTable
  pattern_findings: PatternFindingTable
  pattern_rows: PatternRowTable
  pattern_cursor: PatternCursorTable
}

/** One row in the embedded database, which keeps its secrets in a file: see `check-parts.ts`. */
export interface InstallationTable {
  id: number
  /** Hash of the key in that file. */
  secrets_hash: Uint8Array
  /** 0 or 1: whether pages that releases without `secure_delete` freed were overwritten. */
  free_pages_overwritten: Generated<number>
}

export interface DomainTable {
  id: Generated<number>
  name: string
  /** 0 or 1. */
  enabled: number
  /** Identifications left in the volume; negative once it is exceeded. */
  remaining: number
  /** 1 if somebody set the volume. Nobody wants to hear of any other one. */
  has_volume: number
  created_at: number
  /** Random UUID, the namespace of the domain's device and visitor IDs. */
  namespace: Uint8Array
  public_key: string
  secret_key_hash: Uint8Array
  secret_key_tail: string
  api_key_hash: Uint8Array
  /** Estimate of what its identifications take on disk. */
  stored_bytes: Generated<number>
  /** How many bytes they may take; NULL without a limit. */
  disk_budget: number | null
  /** JSON array of the origins whose pages may use the Public Key; NULL for the domain and all of its subdomains. */
  origins: string | null
  /** The key by which the customer signs account identifiers; NULL without one. */
  sealed_user_key: Uint8Array | null
  /** 0 or 1: whether unsigned ones are dropped. */
  signed_users_only: Generated<number>
  /** 0 or 1: whether acknowledgments carry a verdict that is sealed for the customer's backend. */
  sealed_verdicts: Generated<number>
  /** The key that seals it; NULL before there is one. */
  verdict_key: Uint8Array | null
  /** The key that replaces it, and from when on. */
  next_verdict_key: Uint8Array | null
  next_verdict_from: number | null
  /** 0 or 1: whether decisions `review` open cases. */
  review_cases: Generated<number>
  /** How long after it was opened a case is due. */
  review_hours: Generated<number>
  /** The number of its newest case. */
  case_number: Generated<number>
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
  /** 0 or 1: whether it receives `pattern.changed`. */
  pattern_events: number
  /** 0 or 1: whether it receives `decision.changed`. */
  decision_events: Generated<number>
  /** 0 or 1: whether it receives `device.merged` and `device.split`. */
  device_events: Generated<number>
  /** The secret before the last rotation, and when it stops being valid. */
  previous_secret: Uint8Array | null
  previous_until: number | null
  /** Time of the first failed send after the last accepted one, and the failures since; NULL without any. */
  failing_since: number | null
  failed_sends: Generated<number>
  /** When the server disabled it because its sends kept failing; NULL when an operator did. */
  disabled_at: number | null
  created_at: number
}

/** A saved version of a domain's own weights. Only `active` changes afterwards. */
export interface DomainRulesTable {
  domain_id: number
  /** 1 for the first version of a domain. */
  version: number
  created_at: number
  /** E-mail address of the user who saved it. */
  actor: string
  note: string
  /** JSON object of points by signal name. */
  weights: string
  /** 1 for the version in use. Domains without one use the weights of the release. */
  active: number
}

/** A saved version of a domain's rules for declared agents. Only `active` changes afterwards. */
export interface AgentPolicyTable {
  domain_id: number
  /** 1 for the first version of a domain. */
  version: number
  created_at: number
  /** E-mail address of the user who saved it. */
  actor: string
  note: string
  /** JSON array of the contract's agent rules. */
  rules: string
  /** 1 for the version in use. Domains without one have no rules. */
  active: number
}

/** An entry of a domain's lists. Saving another one of the same list, kind and value replaces it, with a new ID. */
export interface ListEntryTable {
  id: Generated<number>
  domain_id: number
  /** A name of the contract's `LIST_NAMES`. */
  list: string
  /** Of `LIST_KINDS`. */
  kind: string
  /** In normal form. */
  value: string
  reason: string
  /** E-mail address of the user who saved it. */
  author: string
  /** NULL for an entry that stays. */
  expires_at: number | null
  created_at: number
}

/** Servers reload the lists of a domain when its version changes. */
export interface ListVersionTable {
  domain_id: number
  version: number
}

/** What a customer found out about a visitor. One row for each kind, subject and source. */
export interface LabelTable {
  id: Generated<number>
  domain_id: number
  kind: string
  /** Of the contract's `LABEL_SUBJECTS`. */
  subject_type: string
  /** In normal form. */
  subject_value: string
  source: string
  /** When it was so, as the author says. */
  at: number
  note: string
  /** E-mail address of the user who stored it, or `api key`. */
  author: string
  created_at: number
}

/** A saved version of a rule that decides. Only `latest` changes afterwards. */
export interface DecisionRuleTable {
  domain_id: number
  /** 1 for the first rule of a domain. */
  rule_id: number
  /** 1 for the first version of a rule. */
  version: number
  created_at: number
  /** E-mail address of the user who saved it. */
  actor: string
  name: string
  /** CEL. */
  condition: string
  /** JSON of the contract's effect. */
  effect: string
  priority: number
  /** JSON array; NULL for all. */
  purposes: string | null
  state: DecisionRuleState
  /** 1 for the version that counts; no version of a removed rule does. */
  latest: number
}

/** The least decision score for an action; NULL where points never lead to it. */
export interface DecisionThresholdTable {
  domain_id: number
  review: number | null
  challenge: number | null
  deny: number | null
}

/** How often a rule met on one day. */
export interface DecisionRuleHitTable {
  domain_id: number
  rule_id: number
  /** Start of the day, UTC. */
  day: number
  /** The rule's state then. */
  state: DecisionRuleState
  met: number
  failed: number
}

/** What was answered to a customer who asked what to do about a visit. Each visit answers a purpose once. */
export interface DecisionTable {
  id: Generated<number>
  domain_id: number
  request_id: Uint8Array
  purpose: DecisionPurpose
  idempotency_key: string | null
  /** SHA-256 of the question, to tell a repeated one from another one. */
  asked: Uint8Array
  /** As the customer named it, in normal form. */
  account: string | null
  client_address: string | null
  /** JSON of what the facts are made of beside the visit, for replays. */
  question: string
  /** JSON of the contract's `DecideAnswer`, without the counts that are stored with the visit. */
  answer: string
  action: DecisionAction
  /** Version of the identification that was judged. */
  ver: number
  decided_at: number
  /** Version of the identification that this decision is to be compared with; NULL if there is nothing to compare. */
  stale: number | null
  /** JSON of the contract's `ChangedDecision`: what it would be since later evidence; NULL if nothing changed. */
  later: string | null
}

/** Something that a person should look at. */
export interface CaseTable {
  id: Generated<number>
  domain_id: number
  /** Counted for each domain. */
  number: number
  title: string
  /** Of the contract's `CASE_SUBJECTS`. One that is not closed has its subject alone. */
  subject_type: string
  /** In normal form. */
  subject_value: string
  source: string
  status: string
  priority: string
  /** E-mail address of a user; NULL for nobody. */
  assignee: string | null
  due_at: number
  /** Decisions `review` that it counts. */
  reviews: number
  /** The action that was decided on; NULL while there is none. */
  outcome: string | null
  opened_by: string
  opened_at: number
  changed_at: number
  /** NULL while it is open. */
  closed_at: number | null
}

/** An entry of a case's timeline. */
export interface CaseEventTable {
  id: Generated<number>
  domain_id: number
  case_id: number
  /** Of the contract's `CASE_EVENT_KINDS`. */
  kind: string
  at: number
  author: string
  /** The visit of which it keeps something, with which it goes; NULL for none. */
  request_id: Uint8Array | null
  /** `decision:7` or `finding:7`, of which it keeps a copy, with which it goes; NULL for none. */
  reference: string | null
  /** JSON of the rest of the contract's `CaseEvent`. */
  body: string
}

/** One row: decisions up to this number have their cases. */
export interface CaseCursorTable {
  id: number
  decision_id: number
}

/** One row. Servers reload keys, endpoints and weights when the version changes. */
export interface DirectoryVersionTable {
  id: number
  version: number
}

/** At most one row: JSON of what commands need to know of the server that started last. */
export interface ServerSettingsTable {
  id: number
  body: string
}

export interface IdentificationTable extends RowOf<typeof IDENTIFICATION> {
  id: Generated<number>
}

/** A version of an identification that a refinement replaced. */
export interface VersionTable {
  domain_id: number
  identification_id: number
  ver: number
  score: number
  flags: number
  connection_type: string
  verdict: string
}

/** The ingested body with its context, so that the visit can be scored again. */
export interface SnapshotTable {
  identification_id: number
  domain_id: number
  /** JSON: see `packed-text.ts`. */
  body: Uint8Array
}

export interface StickyVerdictTable extends RowOf<typeof STICKY_VERDICT> {
  id: Generated<number>
}

/** The counts of a subject of visits. */
export interface VelocityTable {
  domain_id: number
  /** Index in `VELOCITY_SUBJECTS`. */
  subject: number
  /** The first eight bytes of a keyed hash of its value. */
  hash: Uint8Array
  /** See `velocity-state.ts`. */
  state: Uint8Array
  /** Time of its latest visit. */
  updated_at: number
}

export interface OutboxTable extends RowOf<typeof OUTBOX_ENTRY> {
  id: Generated<number>
}

export interface DeliveryTable extends RowOf<typeof DELIVERY> {
  id: Generated<number>
}

export interface DeviceTable {
  /** The device's number in `device_keys`. */
  id: Generated<number>
  domain_id: number
  device_id: Uint8Array
  last_at: number
  /** JSON of the profile without its keys. */
  profile: string
  /** The profile's keys as 64-bit floats. */
  keys: Uint8Array
}

/** The devices with a key; of a key with many devices only the newest. The largest ordinal is their number. */
export interface DeviceKeyTable {
  domain_id: number
  key: number
  ordinal: number
  /** `devices.id` */
  device: number
}

/** How many keys of a kind belong to exactly one device, and how many to exactly two. */
export interface KeySpreadTable {
  domain_id: number
  /** Key of a system and browser. */
  family: number
  kind: number
  once: number
  twice: number
}

/** The ID of a device that was merged into another one. Identifications keep the old ID. */
export interface DeviceAliasTable {
  domain_id: number
  device_id: Uint8Array
  merged_into: Uint8Array
  created_at: number
}

/** Keys of a device that are not in `device_keys` yet. */
export interface UnlistedKeysTable {
  id: Generated<number>
  domain_id: number
  /** Key of a system and browser, for `key_spreads`. */
  family: number
  /** `devices.id` */
  device: number
  /** Triples of key, kind and whether it is listed, as 64-bit floats. */
  keys: Uint8Array
}

/** At most one row: the run that lists the rows up to `through` has reached this domain and key. */
export interface ListingRunTable {
  id: number
  through: number
  domain_id: number
  key: number
}

/** How often a value of a dimension occurred in an hour or a day. No row contains an identifier. */
export interface RollupTable {
  domain_id: number
  /** 1 or 24. */
  span_hours: number
  /** A name of `ROLLUP_DIMENSIONS`. */
  dimension: string
  /** Start of the hour or day, in UTC. */
  start: number
  /** The column's value, '' for NULL. For `device` and `visitor` the time of their previous visit. */
  value: string
  identifications: number
  /** Those with a score: all but the ones over the ingest limit. */
  scored: number
  score_sum: number
  /** Points that a signal added; 0 in other dimensions. */
  points_sum: number
}

/** One row. */
export interface RollupProgressTable {
  id: number
  /** The last identification that is counted. */
  last_id: number
  /** Incremented by each removal of identifications that are not counted yet. */
  removals: number
}

/** One pattern on one entity; the row stays the same while its grade changes. */
export interface PatternFindingTable {
  id: Generated<number>
  domain_id: number
  pattern: string
  entity_type: string
  /** In the form of the API. */
  entity_value: string
  /** The last grade, once resolved. */
  grade: 'suspicious' | 'dangerous'
  count: number
  /** Thresholds of the grades for the average score at that time. */
  suspicious_from: number
  dangerous_from: number
  average_score: number
  /** Times of the first and the last identification in evidence. */
  first_at: number
  last_at: number
  judged_at: number
  /** When it is due to be judged again without new rows; NULL once resolved. */
  recheck_at: number | null
  resolved_at: number | null
}

/** The identifications that are a finding's evidence; erasing all of them removes the finding. */
export interface PatternRowTable {
  domain_id: number
  finding_id: number
  identification_id: number
}

/** One row: the last identification in which patterns were searched. */
export interface PatternCursorTable {
  id: number
  identification_id: number
}
