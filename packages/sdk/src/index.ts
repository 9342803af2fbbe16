export type {
  DetectionFlag,
  DetectionFlags,
  DomainProfile,
  Explanation,
  HistoryPage,
  HistoryRow,
  IdentificationScored,
  PatternChanged,
  RiskSignal,
  SearchType,
  WebhookPing,
} from '@inkling/contract'
export {
  type Client,
  type ClientOptions,
  createClient,
  type PolledVerdict,
  type TransportOptions,
  type VerdictOptions,
} from './client.ts'
export { type Decision, decide, type Reason } from './decide/decide.ts'
export type { AccountRule, AccountsOf, Action, Finding, Policy } from './decide/policy.ts'
export type { AccountsOptions, History, RowsOptions, SearchOptions } from './history/history.ts'
export type { RetryOptions } from './http/retry.ts'
export type { Sleep } from './http/sleep.ts'
export { namesAccount, namesOne } from './identifies-nobody.ts'
export { InklingError, type InklingErrorCode } from './inkling-error.ts'
export { createManagementClient, type ManagementClient, type ManagementOptions } from './management-client.ts'
export { memoryReplayStore } from './replay/memory-replay-store.ts'
export {
  type PostgresQueries,
  type PostgresReplayStore,
  postgresReplayStore,
} from './replay/postgres-replay-store.ts'
export { type RedisCommands, redisReplayStore } from './replay/redis-replay-store.ts'
export type { ReplayStore } from './replay/replay-store.ts'
export { type Band, bandOf } from './verdict/band-of.ts'
export {
  type MissingVerdict,
  type RateLimitedVerdict,
  type ScoredVerdict,
  type Verdict,
  verdictOfEvent,
  verdictOfRow,
} from './verdict/verdict.ts'
export * as webhooks from './webhooks/index.ts'
