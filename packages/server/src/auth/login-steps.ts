import { createHash, randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { AppError } from '../lib/errors.ts'
import type { Schema } from '../store/schema.ts'
import type { Store } from '../store/store.ts'
import { type LoginStepRow, loginStepStore } from '../store/users/login-steps.ts'

const TOKEN_BYTES = 24
/** Long enough to find a phone or to sign in with the identity provider. */
const STEP_MS = 600_000

/** The stored form of a token. 192 random bits cannot be found from their hash by guessing. */
export const hashToken = (token: string): Uint8Array =>
  new Uint8Array(createHash('sha256').update(token).digest())

export const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url')

/** What a step waits for: a second factor, an answer of a passkey, or that of the identity provider. */
export type LoginStepKind = 'second factor' | 'passkey login' | 'passkey proof' | 'passkey added' | 'provider'

export interface LoginStep {
  kind: LoginStepKind
  /** Undefined where it is not known yet who signs in. */
  userId?: number
  /** What the last part of the step has to compare. */
  data: Record<string, string | boolean>
}

/**
 * Begins a step; its token works once and for ten minutes.
 * @param before runs in the transaction
 */
export async function beginStep(
  store: Store,
  { kind, userId, data }: LoginStep,
  nowMs: number,
  before?: (transaction: Kysely<Schema>) => Promise<unknown>,
): Promise<string> {
  const token = newToken()
  const row: LoginStepRow = {
    token_hash: hashToken(token),
    kind,
    user_id: userId ?? null,
    data: JSON.stringify(data),
    expires_at: nowMs + STEP_MS,
  }
  await store.writes.transaction().execute(async (transaction) => {
    await before?.(transaction)
    await loginStepStore(transaction).add(row, nowMs)
  })
  return token
}

export interface OpenStep {
  tokenHash: Uint8Array
  userId: number | null
  data: Record<string, string | boolean | undefined>
}

/** Undefined if there is no such step, or no longer. */
export async function readStep(
  { reads }: Store,
  token: string,
  kind: LoginStepKind,
  nowMs: number,
): Promise<OpenStep | undefined> {
  const row = await loginStepStore(reads).find(hashToken(token), kind, nowMs)
  return row && { tokenHash: row.token_hash, userId: row.user_id, data: JSON.parse(row.data) }
}

/**
 * Ends a step, where that can be in the transaction of what it was for.
 * @throws AppError `INK_STEP_ENDED` if it has ended, for instance by the same answer sent twice
 */
export async function endStep(transaction: Kysely<Schema>, { tokenHash }: OpenStep): Promise<void> {
  if (!(await loginStepStore(transaction).use(tokenHash))) throw new AppError('INK_STEP_ENDED')
}
