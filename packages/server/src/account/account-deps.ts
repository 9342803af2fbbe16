import type { AccessTokens } from '../auth/access-token.ts'
import type { Directory } from '../auth/directory.ts'
import type { KeyKind } from '../auth/rotate-key.ts'
import type { AttemptDeps } from '../deliver/attempt.ts'
import type { Feeds } from '../enrich/feeds/create-feeds.ts'
import type { BackTests } from '../jobs/rescore/back-tests.ts'
import type { SecretBox } from '../lib/secret-box.ts'
import type { Store } from '../store/store.ts'
import type { RunningState } from '../telemetry/running-state.ts'
import type { LoginThrottle } from './session/login-throttle.ts'

export interface AccountDeps {
  store: Store
  directory: Directory
  /** Seals webhook secrets. */
  secrets: SecretBox
  tokens: AccessTokens
  throttle: LoginThrottle
  clientAddress(peer: string, forwardedFor: string | undefined): string
  /** Sends pings and samples. */
  sender: AttemptDeps
  allowPrivateWebhooks: boolean
  /** Public base URL that the dashboard is read from: scope of the refresh cookie. */
  baseUrl: string
  /** Told after a key was replaced, for whoever keeps one in the clear: the demo does. */
  keyRotated(domain: string, kind: KeyKind, key: string): Promise<void>
  feeds: Pick<Feeds, 'overview' | 'update' | 'updating'>
  backTests: BackTests
  /** What the system health page tells. */
  running: RunningState
  now(): number
  warn(message: string, error: unknown): void
}
