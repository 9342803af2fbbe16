import { randomBytes } from 'node:crypto'
import type { ApiKeyScope } from '@inkling/contract'
import { API_KEYS_MAX } from '@inkling/contract/account'
import type { Kysely } from 'kysely'
import { HOUR_MS } from '../lib/durations.ts'
import { AppError } from '../lib/errors.ts'
import { type ApiKeyRow, apiKeyStore } from '../store/domains/api-keys.ts'
import { domainStore } from '../store/domains/domains.ts'
import type { Schema } from '../store/schema.ts'
import type { AuditEntry } from '../store/users/users.ts'
import { hashKey, keyTail, newApiKey } from './keys.ts'

const ID_BYTES = 6

export interface MadeKey {
  row: ApiKeyRow
  /** To be shown once. */
  key: string
}

interface NewKey {
  name: string
  scopes: readonly ApiKeyScope[]
  expiresAtMs: number | null
}

interface Author {
  actor: string
  nowMs: number
}

/** @throws AppError `INK_INVALID_FIELD`, `INK_API_KEY_EXISTS` or `INK_TOO_MANY_ENTRIES` */
export async function addApiKey(
  transaction: Kysely<Schema>,
  domainId: number,
  { name, scopes, expiresAtMs }: NewKey,
  { actor, nowMs }: Author,
): Promise<MadeKey> {
  checkExpiry(expiresAtMs, nowMs)
  const keys = apiKeyStore(transaction)
  await domainStore(transaction).hold(domainId)
  if ((await keys.count(domainId)) >= API_KEYS_MAX)
    throw new AppError('INK_TOO_MANY_ENTRIES', `the domain has ${API_KEYS_MAX} keys; revoke one`)
  const key = newApiKey()
  const row = await keys.add({
    domain_id: domainId,
    id: randomBytes(ID_BYTES).toString('hex'),
    name,
    scopes: JSON.stringify([...new Set(scopes)]),
    key_hash: hashKey(key),
    key_tail: keyTail(key),
    created_by: actor,
    created_at: nowMs,
    expires_at: expiresAtMs,
    used_at: null,
    rotated_at: null,
    previous_hash: null,
    previous_until: null,
  })
  if (!row) throw new AppError('INK_API_KEY_EXISTS')
  return { row, key }
}

interface Rotation {
  overlapHours: number
  /** Undefined: as it was. */
  expiresAtMs: number | null | undefined
}

/**
 * Replaces a key; undefined without such a key. One that has expired must not become valid again by a new expiry, so
 * it gets no overlap.
 * @throws AppError `INK_INVALID_FIELD`
 */
export async function rotateApiKey(
  transaction: Kysely<Schema>,
  domainId: number,
  id: string,
  { overlapHours, expiresAtMs, nowMs }: Rotation & Pick<Author, 'nowMs'>,
): Promise<MadeKey | undefined> {
  if (expiresAtMs !== undefined) checkExpiry(expiresAtMs, nowMs)
  const keys = apiKeyStore(transaction)
  const old = await keys.findToChange(domainId, id)
  if (!old) return undefined
  const hasExpired = isOver(old.expires_at, nowMs)
  if (hasExpired && expiresAtMs === undefined)
    throw new AppError('INK_INVALID_FIELD', 'expires_at: the key has expired, so say when the new one does')
  const overlaps = overlapHours > 0 && !hasExpired
  const key = newApiKey()
  const endsAtMs = expiresAtMs === undefined ? old.expires_at : expiresAtMs
  const row = await keys.change(domainId, id, {
    key_hash: hashKey(key),
    key_tail: keyTail(key),
    rotated_at: nowMs,
    previous_hash: overlaps ? old.key_hash : null,
    previous_until: overlaps ? overlapEnd([old.expires_at, endsAtMs], nowMs + overlapHours * HOUR_MS) : null,
    ...(expiresAtMs !== undefined && { expires_at: expiresAtMs }),
  })
  return row && { row, key }
}

/** A later expiry is for the new key alone, an earlier one for both: the old key must not outlive the new one. */
const overlapEnd = (ends: readonly (number | null)[], untilMs: number): number =>
  Math.min(untilMs, ...ends.map((endMs) => endMs ?? Infinity))

const isOver = (atMs: number | null, nowMs: number): boolean => atMs !== null && atMs <= nowMs

function checkExpiry(expiresAtMs: number | null, nowMs: number): void {
  if (isOver(expiresAtMs, nowMs)) throw new AppError('INK_INVALID_FIELD', 'expires_at: is in the past')
}

/** The audit log names IDs of keys, never what they are called: users write names. */
export const keyEntry =
  (action: 'add' | 'rotate' | 'revoke', domain: string, actor: string) =>
  ({ row }: Pick<MadeKey, 'row'>): AuditEntry => ({
    actor,
    action: `api_key.${action}`,
    target: domain,
    detail: {
      key: row.id,
      ...(action !== 'revoke' && {
        scopes: readScopes(row).join(),
        expires_at: row.expires_at === null ? 'never' : new Date(row.expires_at).toISOString(),
      }),
      ...(action === 'rotate' && {
        old_key_until: row.previous_until === null ? 'now' : new Date(row.previous_until).toISOString(),
      }),
    },
  })

export const readScopes = ({ scopes }: Pick<ApiKeyRow, 'scopes'>): ApiKeyScope[] => JSON.parse(scopes)
