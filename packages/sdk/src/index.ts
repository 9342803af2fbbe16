export {
  type AssessedPage,
  type Assessment,
  type AssessRequest,
  type Band,
  bandOf,
  type DecideAnswer,
  type DecideRefusal,
  type DecideRequest,
  type DecisionChanged,
  type DeclaredAgent,
  type DetectionFlag,
  type DetectionFlags,
  type DeviceMerged,
  type DeviceSplit,
  type DomainProfile,
  type Explanation,
  type HistoryPage,
  type HistoryRow,
  type IdentificationScored,
  type Label,
  type LabelDraft,
  namesAccount,
  namesOne,
  type PatternChanged,
  type RiskSignal,
  type SearchType,
  type WebhookPing,
} from '@inkling/contract'
export {
  type Client,
  type ClientOptions,
  createClient,
  type LabelInput,
  type PolledVerdict,
  type VerdictOptions,
} from './client.ts'
export { type Decision, decide, type Reason } from './decide.ts'
export type { DecidedVisit, DecideOptions } from './decide-visit.ts'
export { type EdgeFacts, edgeRequestOfNode, edgeRequestOfWeb, type NodeRequest } from './edge-request.ts'
export { expressGuard, fastifyGuard, type GuardOptions, type Refusal, webGuard } from './guard.ts'
export type { AccountsOptions, History, RowsOptions, SearchOptions } from './history.ts'
export { InklingError, type InklingErrorCode } from './inkling-error.ts'
export { createManagementClient, type ManagementClient, type ManagementOptions } from './management-client.ts'
export {
  type OpenedVerdict,
  openSealedVerdict,
  type SealedVerdict,
  type SealedVerdictOptions,
} from './open-sealed-verdict.ts'
export type { AccountRule, AccountsOf, Action, Finding, Policy } from './policy.ts'
export {
  type PostgresQueries,
  type PostgresReplayStore,
  postgresReplayStore,
} from './postgres-replay-store.ts'
export { type RedisCommands, redisReplayStore } from './redis-replay-store.ts'
export { memoryReplayStore, type ReplayStore } from './replay-store.ts'
export type { TransportOptions } from './request.ts'
export type { RetryOptions, Sleep } from './retry.ts'
export {
  type MissingVerdict,
  type RateLimitedVerdict,
  type ScoredVerdict,
  type Verdict,
  verdictOfEvent,
  verdictOfRow,
} from './verdict.ts'
export * as webhooks from './webhooks.ts'
