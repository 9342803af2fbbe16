import { presentTime } from '@inkling/contract'
import type { API_KEY_OPERATIONS, ApiKey, MadeApiKey } from '@inkling/contract/account'
import { addApiKey, keyEntry, type MadeKey, readScopes, rotateApiKey } from '../auth/api-keys.ts'
import { AppError } from '../lib/errors.ts'
import { type ApiKeyRow, apiKeyStore } from '../store/domains/api-keys.ts'
import { recordChange } from './audit.ts'
import { findDomain } from './domains.ts'
import type { Handlers } from './handler.ts'

export const apiKeyOperations: Handlers<typeof API_KEY_OPERATIONS> = {
  listApiKeys: async ({ params }, { store, now }) => {
    const { id } = await findDomain(store, params.domain)
    const rows = await apiKeyStore(store.reads).list(id)
    return { data: rows.map((row) => presentApiKey(row, now())) }
  },

  addApiKey: async ({ params, body, caller }, deps) => {
    const { id, name } = await findDomain(deps.store, params.domain)
    const by = { actor: caller.email, nowMs: deps.now() }
    const key = { name: body.name, scopes: body.scopes, expiresAtMs: readTime(body.expires_at) }
    const made = await recordChange(deps, keyEntry('add', name, caller.email), (transaction) =>
      addApiKey(transaction, id, key, by),
    )
    if (!made) throw new Error('the key was not made')
    return presentMade(made, by.nowMs)
  },

  rotateApiKey: async ({ params, body, caller }, deps) => {
    const { id, name } = await findDomain(deps.store, params.domain)
    const nowMs = deps.now()
    const expiresAtMs = body.expires_at === undefined ? undefined : readTime(body.expires_at)
    const rotation = { overlapHours: body.overlap_hours, expiresAtMs, nowMs }
    const made = await recordChange(deps, keyEntry('rotate', name, caller.email), (transaction) =>
      rotateApiKey(transaction, id, params.key_id, rotation),
    )
    if (!made) throw NO_KEY()
    return presentMade(made, nowMs)
  },

  revokeApiKey: async ({ params, caller }, deps) => {
    const { id, name } = await findDomain(deps.store, params.domain)
    const revoked = await recordChange(deps, keyEntry('revoke', name, caller.email), async (transaction) => {
      const row = await apiKeyStore(transaction).remove(id, params.key_id)
      return row && { row }
    })
    if (!revoked) throw NO_KEY()
    return undefined
  },
}

const NO_KEY = () => new AppError('INK_NOT_FOUND', 'no such key')

const readTime = (text: string | null): number | null => (text === null ? null : Date.parse(text))

const presentMade = ({ row, key }: MadeKey, nowMs: number): MadeApiKey => ({
  api_key: presentApiKey(row, nowMs),
  key,
})

const orNull = (atMs: number | null): string | null => (atMs === null ? null : presentTime(atMs))

const presentApiKey = (row: ApiKeyRow, nowMs: number): ApiKey => ({
  id: row.id,
  name: row.name,
  scopes: readScopes(row),
  tail: row.key_tail,
  created_by: row.created_by,
  created_at: presentTime(row.created_at),
  rotated_at: orNull(row.rotated_at),
  previous_until: orNull(
    row.previous_until !== null && row.previous_until > nowMs ? row.previous_until : null,
  ),
  expires_at: orNull(row.expires_at),
  used_at: orNull(row.used_at),
})
