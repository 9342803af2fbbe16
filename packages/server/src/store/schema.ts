import type {
  AlertChannelTable,
  AlertCursorTable,
  AlertDeliveryTable,
  AlertEventTable,
  AlertRuleTable,
  AlertTable,
} from './alert-tables.ts'
import type { AssistantClientTable, AssistantGrantTable, AssistantProposalTable } from './assistant-tables.ts'
import type { ColdObjectTable, ColdProgressTable } from './cold-tables.ts'
import type {
  ChangeFeedTable,
  LateChangeTable,
  PatternCursorTable,
  PatternFindingTable,
  PatternRowTable,
  RollupProgressTable,
  RollupTable,
} from './count-tables.ts'
import type {
  BackTestTable,
  CaseCursorTable,
  CaseEventTable,
  CaseTable,
  DecisionRuleHitTable,
  DecisionRuleTable,
  DecisionTable,
  DecisionThresholdTable,
  LabelTable,
  ListEntryTable,
  ListVersionTable,
} from './decision-tables.ts'
import type {
  DeviceAliasTable,
  DeviceKeyTable,
  DeviceTable,
  KeySpreadTable,
  KeySweepTable,
  ListingRunTable,
  UnlistedKeysTable,
} from './device-tables.ts'
import type {
  AgentPolicyTable,
  ApiKeyTable,
  DirectoryVersionTable,
  DomainRulesTable,
  DomainTable,
  EndpointTable,
  InstallationTable,
  NodeTable,
  ServerSettingsTable,
  UnscrubbedDomainTable,
} from './domain-tables.ts'
import type {
  AuditTable,
  DomainMemberTable,
  InvitationTable,
  LoginStepTable,
  PasskeyTable,
  RecoveryCodeTable,
  SavedViewTable,
  SessionTable,
  UserTable,
} from './people-tables.ts'
import type {
  DeliveryTable,
  IdentificationTable,
  OutboxTable,
  SnapshotTable,
  StickyVerdictTable,
  VelocityLogTable,
  VelocityTable,
  VersionTable,
} from './visit-tables.ts'

/**
 * The tables, the same in both engines. UUIDs are 16 bytes, times are Unix milliseconds, IPv4 addresses are unsigned
 * 32-bit numbers. NULL stands for an empty value and takes no space.
 */
export interface Schema {
  domains: DomainTable
  endpoints: EndpointTable
  api_keys: ApiKeyTable
  domain_rules: DomainRulesTable
  agent_policies: AgentPolicyTable
  decision_rules: DecisionRuleTable
  decision_thresholds: DecisionThresholdTable
  decision_rule_hits: DecisionRuleHitTable
  back_tests: BackTestTable
  decisions: DecisionTable
  list_entries: ListEntryTable
  list_versions: ListVersionTable
  labels: LabelTable
  cases: CaseTable
  case_events: CaseEventTable
  case_cursor: CaseCursorTable
  alert_channels: AlertChannelTable
  alert_rules: AlertRuleTable
  alerts: AlertTable
  alert_events: AlertEventTable
  alert_deliveries: AlertDeliveryTable
  alert_cursor: AlertCursorTable
  directory_version: DirectoryVersionTable
  installation: InstallationTable
  server_settings: ServerSettingsTable
  users: UserTable
  domain_members: DomainMemberTable
  sessions: SessionTable
  recovery_codes: RecoveryCodeTable
  passkeys: PasskeyTable
  invitations: InvitationTable
  login_steps: LoginStepTable
  audit: AuditTable
  saved_views: SavedViewTable
  assistant_clients: AssistantClientTable
  assistant_grants: AssistantGrantTable
  assistant_proposals: AssistantProposalTable
  identifications: IdentificationTable
  snapshots: SnapshotTable
  versions: VersionTable
  sticky_verdicts: StickyVerdictTable
  velocity: VelocityTable
  velocity_log: VelocityLogTable
  outbox: OutboxTable
  deliveries: DeliveryTable
  devices: DeviceTable
  device_keys: DeviceKeyTable
  key_spreads: KeySpreadTable
  device_aliases: DeviceAliasTable
  unlisted_keys: UnlistedKeysTable
  listing_run: ListingRunTable
  key_sweep: KeySweepTable
  rollups: RollupTable
  rollup_progress: RollupProgressTable
  pattern_findings: PatternFindingTable
  pattern_rows: PatternRowTable
  pattern_cursor: PatternCursorTable
  change_feed: ChangeFeedTable
  late_changes: LateChangeTable
  cold_objects: ColdObjectTable
  cold_progress: ColdProgressTable
  nodes: NodeTable
  unscrubbed_domains: UnscrubbedDomainTable
}
