import { createLimiter } from '../lib/limits.ts'
import type { Store } from '../store/store.ts'
import { auditStore, type UserRow, userStore } from '../store/users/users.ts'

/** What became of an attempt to sign in, as the metric counts it. */
export type SignInResult = 'succeeded' | 'failed' | 'locked' | 'refused'

export type SignInMethod =
  | 'password'
  | 'second factor'
  | 'passkey'
  | 'identity provider'
  | 'proof'
  | 'invitation'

/*
 * What the audit log keeps in an hour: a flood must fill neither the log nor the disk, and whoever guesses at one account
 * must not hide that behind attempts at others. So each user has budgets of their own.
 */
const HOUR_SECONDS = 3_600
/** Of each user: as many as it takes to lock an account from everywhere and from some addresses besides. */
const FAILED = { points: 60, duration: HOUR_SECONDS }
const LOCKED = { points: 20, duration: HOUR_SECONDS }
/** Of all attempts that name no user. */
const UNKNOWN = { points: 20, duration: HOUR_SECONDS }

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
  const place = { name: 'sign-in audit', pool: undefined }
  const unknown = createLimiter(UNKNOWN, place)
  const known = {
    'session.failed': createLimiter(FAILED, place),
    'session.locked': createLimiter(LOCKED, place),
  }

  const mayKeep = (action: keyof typeof known, user: UserRow | undefined): Promise<boolean> =>
    (user ? known[action].consume(user.id) : unknown.consume('')).then(
      () => true,
      () => false,
    )

  /**
   * Does the same for an unknown address as for a known one, and for an entry that is not kept as for one that is, so that
   * the time does not tell which ones exist.
   */
  async function note(
    action: keyof typeof known,
    method: SignInMethod,
    email: string | undefined,
  ): Promise<void> {
    try {
      const user = email === undefined ? undefined : await userStore(store.reads).findByEmail(email)
      const entry = { actor: 'nobody', action, target: user?.email ?? 'unknown address', detail: { method } }
      const isKept = await mayKeep(action, user)
      await store.writes.transaction().execute(async (transaction) => {
        const audit = auditStore(transaction)
        const { id } = await audit.add(entry, now())
        if (!isKept) await audit.takeBack(id)
      })
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
