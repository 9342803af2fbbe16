import type { Readable } from 'node:stream'
import type {
  AccountOperation,
  AnswerOf,
  DomainRight,
  RequestOf,
  RoleHolder,
} from '@inkling/contract/account'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AccessTokens } from '../auth/access-token.ts'
import type { Directory } from '../auth/directory.ts'
import type { IdentityProvider } from '../auth/identity-provider.ts'
import type { KnownDevices } from '../auth/known-devices.ts'
import type { LoginThrottle } from '../auth/login-throttle.ts'
import type { KeyKind } from '../auth/register-domain.ts'
import type { SignInRecord } from '../auth/sign-in-record.ts'
import type { AlertSender } from '../deliver/alerts/alert-sender.ts'
import type { AttemptDeps } from '../deliver/attempt.ts'
import type { AgentCatalogue } from '../enrich/agents/catalogue.ts'
import type { Feeds } from '../enrich/feeds/feeds.ts'
import type { IpDatabase } from '../enrich/ip/ip-facts.ts'
import type { DecisionBackTests } from '../jobs/decision-back-test/decision-back-tests.ts'
import type { WeightsBackTests } from '../jobs/rescore/weights-back-tests.ts'
import type { RateLimit } from '../lib/limits.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import type { Store } from '../store/store.ts'
import type { SessionUser } from '../store/users/users.ts'
import type { RunningState } from '../telemetry/running-state.ts'

/** A file that is generated while it is sent. */
export interface StreamedFile {
  type: string
  name: string
  content: Readable
}

/** The signed-in user and the session of the access token. */
export interface SignedInCaller extends SessionUser {
  sessionId: number
  /** When the user last proved who they are. */
  provenAtMs: number
}

/** The same, admitted to an operation. Whether it may run is decided by then. */
export interface AccountCaller extends SignedInCaller, RoleHolder {
  /** In the domain of the path; where the path names none, those in any domain. */
  rights: ReadonlySet<DomainRight>
}

/** Runs a read once there is room for it. */
export type InShare = <Result>(read: () => Promise<Result>) => Promise<Result>

/** Runs reads in the user's share of the readers, so that nobody's searches and exports keep the others waiting. */
export const inShareOf =
  ({ id }: AccountCaller, { inShare }: Store): InShare =>
  (read) =>
    inShare(`user ${id}`, read)

export interface Call<Operation extends AccountOperation> extends RequestOf<Operation> {
  /** Undefined where the operation asks for no access token. */
  caller: CallerOf<Operation>
  /** For the few operations that read or set more than a body. */
  http: { request: FastifyRequest; reply: FastifyReply }
}

type CallerOf<Operation extends AccountOperation> = Operation['access'] extends 'anyone' | 'cookie'
  ? undefined
  : AccountCaller

type Result<Operation extends AccountOperation> = Operation['answer'] extends 'file'
  ? StreamedFile
  : Operation['answer'] extends 'nothing'
    ? undefined
    : AnswerOf<Operation>

/**
 * Performs one operation, after credential, role and shape of the request have been checked.
 * @throws AppError for what the caller may read
 */
export type Handler<Operation extends AccountOperation> = (
  call: Call<Operation>,
  deps: AccountDeps,
) => Promise<Result<Operation>>

/** A handler for each operation of a resource. */
export type Handlers<Operations extends Record<string, AccountOperation>> = {
  [Name in keyof Operations]: Handler<Operations[Name]>
}

export interface AccountDeps {
  store: Store
  directory: Directory
  /** Seals webhook secrets and those of authenticator apps. */
  secrets: SecretBox
  tokens: AccessTokens
  throttle: LoginThrottle
  knownDevices: KnownDevices
  signIns: SignInRecord
  /** Derives refresh tokens. */
  refreshKey: Uint8Array
  /** Undefined where nobody signs in with OpenID Connect. */
  provider: IdentityProvider | undefined
  /** Counts an export. */
  exported(what: 'identifier' | 'identifications'): void
  clientAddress(peer: string, forwardedFor: string | undefined): string
  /** Sends pings and samples. */
  sender: AttemptDeps
  /** Sends test messages to the channels of alerts. */
  alerts: Pick<AlertSender, 'canMail' | 'send'>
  /** Per domain, for pings, samples and test messages, whose targets the callers choose. */
  testSends: RateLimit
  allowPrivateWebhooks: boolean
  /** How long a replaced signing secret stays valid. */
  secretOverlapMs: number
  /** Public base URL of the dashboard: the scope of the refresh cookie. */
  baseUrl: string
  /** Called after a key was replaced, because the demo keeps one in the clear. */
  keyRotated(domain: string, kind: KeyKind, key: string): Promise<void>
  agentCatalogue: Pick<AgentCatalogue, 'agents'>
  lookUpIp: IpDatabase['lookUp']
  feeds: Pick<Feeds, 'overview' | 'update' | 'updating'>
  backTests: WeightsBackTests
  decisionBackTests: DecisionBackTests
  /** What the system health page shows of the process. */
  running: RunningState
  now(): number
  warn(message: string, error: unknown): void
}
