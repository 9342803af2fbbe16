import type { Kysely } from 'kysely'
import type { Schema } from '../store/schema.ts'
import type { Store } from '../store/store.ts'
import { passkeyStore, recoveryCodeStore } from '../store/users/second-factors.ts'
import { type UserRow, userStore } from '../store/users/users.ts'
import { hashRecoveryCode, newRecoveryCodes } from './recovery-codes.ts'

/** Whether the password alone does not sign the user in. */
export const hasSecondFactor = async ({ reads }: Store, user: UserRow): Promise<boolean> =>
  user.totp_secret !== null || (await passkeyStore(reads).list(user.id)).length > 0

/**
 * Runs in the transaction that adds a second factor.
 * @returns recovery codes, to be shown once; none if the user has some
 */
export async function addRecoveryCodes(transaction: Kysely<Schema>, userId: number): Promise<string[]> {
  if ((await recoveryCodeStore(transaction).count(userId)) > 0) return []
  return replaceRecoveryCodes(transaction, userId)
}

/** @returns the new codes, to be shown once */
export async function replaceRecoveryCodes(transaction: Kysely<Schema>, userId: number): Promise<string[]> {
  const codes = newRecoveryCodes()
  await recoveryCodeStore(transaction).replace(userId, codes.map(hashRecoveryCode))
  return codes
}

/** Runs in the transaction that removes one: without a second factor there is nothing to recover. */
export async function dropIdleRecoveryCodes(transaction: Kysely<Schema>, userId: number): Promise<void> {
  const user = await userStore(transaction).find(userId)
  if (user?.totp_secret !== null) return
  if ((await passkeyStore(transaction).list(userId)).length > 0) return
  await recoveryCodeStore(transaction).replace(userId, [])
}

/** For a user who lost them. */
export async function removeSecondFactors(transaction: Kysely<Schema>, userId: number): Promise<void> {
  await userStore(transaction).change(userId, { totp_secret: null, totp_pending: null })
  await passkeyStore(transaction).removeAll(userId)
  await recoveryCodeStore(transaction).replace(userId, [])
}
