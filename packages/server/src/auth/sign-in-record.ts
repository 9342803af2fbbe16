import { createLimiter } from '../lib/limits.ts'
import type { Store } from '../store/store.ts'
import { auditStore, userStore } from '../store/users/users.ts'

/** What became of an attempt to sign in, as the metric counts it. */
export type SignInResult = 'succeeded' | 'failed' | 'locked' | 'refused'

export type SignInMethod =
  | 'password'
  | 'second factor'
  | 'passkey'
  | 'identity provider'
  | 'proof'
  | 'invitation'

/** Failed attempts that the audit log keeps in an hour: a flood must fill neither the log nor the disk. */
const ENTRIES = { points: 100, duration: 3_600 }

/** Counts attempts to sign in, and keeps the failed ones in the audit log. */
export interface SignInRecord {
  succeeded(method: SignInMethod): void
  /** @param email as it was given; undefined where nobody was named */
  failed(method: SignInMethod, email?: string): Promise<void>
  /** The first attempt over the limit of an account. */
  locked(method: SignInMethod, email: string): Promise<void>
  /** An attempt over a limit. */
  refused(method: SignInMethod): void
}

export interface SignInRecordDeps {
  store: Store
  count(method: SignInMethod, result: SignInResult): void
  now(): number
  warn(message: string, error: unknown): void
}

export function createSignInRecord({ store, count, now, warn }: SignInRecordDeps): SignInRecord {
  const entries = createLimiter(ENTRIES, { name: 'sign-in audit', pool: undefined })

  /** Does the same for an unknown address as for a known one, so that the time does not tell which ones exist. */
  async function note(action: string, method: SignInMethod, email: string | undefined): Promise<void> {
    try {
      await entries.consume('')
    } catch {
      return
    }
    try {
      const user = email === undefined ? undefined : await userStore(store.reads).findByEmail(email)
      const entry = { actor: 'nobody', action, target: user?.email ?? 'unknown address', detail: { method } }
      await auditStore(store.writes).add(entry, now())
    } catch (error) {
      warn('a failed sign-in is not in the audit log', error)
    }
  }

  return {
    succeeded: (method) => count(method, 'succeeded'),
    async failed(method, email) {
      count(method, 'failed')
      await note('session.failed', method, email)
    },
    async locked(method, email) {
      count(method, 'locked')
      await note('session.locked', method, email)
    },
    refused: (method) => count(method, 'refused'),
  }
}
