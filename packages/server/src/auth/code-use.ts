import type { Kysely } from 'kysely'
import type { SecretBox } from '../lib/secret-box.ts'
import type { Schema } from '../store/schema.ts'
import type { Store } from '../store/store.ts'
import { recoveryCodeStore } from '../store/users/second-factors.ts'
import { type UserRow, userStore } from '../store/users/users.ts'
import { totpStep } from './authenticator-app.ts'
import { hashRecoveryCode } from './recovery-codes.ts'

/**
 * What a right code does in the transaction of the sign-in; undefined for a wrong code. A code works once: of two
 * sign-ins with the same one, the second changes nothing and fails.
 */
export async function codeUse(
  { reads }: Store,
  box: SecretBox,
  user: UserRow,
  { code, nowMs }: { code: string; nowMs: number },
): Promise<((transaction: Kysely<Schema>) => Promise<boolean>) | undefined> {
  const step = user.totp_secret === null ? undefined : totpStep(box.open(user.totp_secret), code, nowMs)
  if (step !== undefined)
    return step > user.totp_step
      ? (transaction) => userStore(transaction).useTotpStep(user.id, step)
      : undefined
  const hash = hashRecoveryCode(code)
  return (await recoveryCodeStore(reads).has(user.id, hash))
    ? (transaction) => recoveryCodeStore(transaction).use(user.id, hash)
    : undefined
}
