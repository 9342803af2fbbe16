import { type ApiKeyScope, PRIVATE_KEY_SCOPES } from '@inkling/contract'
import { AppError } from '../lib/errors.ts'
import type { Directory, Domain } from './directory.ts'
import type { KeyUses } from './key-uses.ts'
import { bearerToken, hashKey } from './keys.ts'

/**
 * The domain whose key a request carries in its header `Authorization`.
 * @throws AppError `INK_INVALID_API_KEY` without a valid key, `INK_WRONG_SCOPE` for one without the scope
 */
export type AdmitKey = (authorization: string | undefined, scope: ApiKeyScope) => Domain

/** The one place that looks at API keys. An expired key and a revoked one are like one that never was. */
export const createKeyCheck =
  ({
    directory,
    uses,
    now,
  }: {
    directory: Pick<Directory, 'apiKey'>
    uses: Pick<KeyUses, 'used'>
    now(): number
  }): AdmitKey =>
  (authorization, scope) => {
    const token = bearerToken(authorization)
    const key = token === undefined ? undefined : directory.apiKey(hashKey(token))
    if (!key) throw new AppError('INK_INVALID_API_KEY')
    const { domain, named } = key
    if (named) {
      if (now() >= named.endsAtMs) throw new AppError('INK_INVALID_API_KEY')
      uses.used(domain.id, named.id)
    }
    const mayDo = named ? named.scopes.has(scope) : PRIVATE_KEY_SCOPES.includes(scope)
    if (!mayDo) throw new AppError('INK_WRONG_SCOPE', `this key has no scope ${scope}`)
    return domain
  }
